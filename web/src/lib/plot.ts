// The parts of Observable Plot that our charts use: what is not here is not in the bundle.
export { areaY, barX, barY, dot, line, lineY, link, plot, ruleX, ruleY, text } from "@observablehq/plot";

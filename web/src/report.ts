// Starts a report: one page over what its file carries.
import { mount } from "svelte";
import Report from "./pages/report/Report.svelte";
import "./style.css";

const target = document.getElementById("app");
if (target) mount(Report, { target });

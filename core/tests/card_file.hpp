// Reads the project's card file for the test programs of the core. The package itself reads it in Python.
#pragma once

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "locm/cards.hpp"

namespace deckatlas::locm::tests {

inline CardType card_type(const std::string& name) {
    const std::string names[kPlayableTypes] = {"creature", "green", "red", "blue"};
    for (int i = 0; i < kPlayableTypes; ++i) {
        if (names[i] == name) return static_cast<CardType>(i);
    }
    throw std::runtime_error("unknown card type " + name);
}

inline Card read_card(const std::vector<std::string>& cells) {
    const auto number = [&cells](std::size_t column) { return std::stoi(cells.at(column)); };
    Card card;
    card.type = card_type(cells.at(2));
    card.cost = static_cast<std::uint8_t>(number(3));
    card.attack = static_cast<std::int8_t>(number(4));
    card.defense = static_cast<std::int8_t>(number(5));
    for (int i = 0; i < kKeywords; ++i) {
        if (cells[6].at(static_cast<std::size_t>(i)) != '-') card.keywords |= static_cast<std::uint8_t>(1 << i);
    }
    card.player_health = static_cast<std::int8_t>(number(7));
    card.enemy_health = static_cast<std::int8_t>(number(8));
    card.draw = static_cast<std::uint8_t>(number(9));
    return card;
}

// Columns: id, name, type, cost, attack, defense, keywords, player_health, enemy_health, draw.
inline CardTable load_cards(const char* path) {
    std::ifstream file(path);
    CardTable table;
    int cards = 0;
    std::string line;
    for (std::getline(file, line); std::getline(file, line); ++cards) {
        std::vector<std::string> cells;
        std::istringstream row(line);
        for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
        const int id = std::stoi(cells.at(0));
        if (id != cards + 1 || id > kCards) throw std::runtime_error("cards are not in order of their ids");
        table.cards[id] = read_card(cells);
    }
    if (cards != kCards) throw std::runtime_error(std::string(path) + " does not have 160 cards");
    return table;
}

}  // namespace deckatlas::locm::tests

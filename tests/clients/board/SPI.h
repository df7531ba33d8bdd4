// As much of the SPI library as the sketch of the board uses.
#pragma once
#include <stdint.h>

struct Bus {
    void begin();
    uint8_t transfer(uint8_t data);
};
extern Bus SPI;

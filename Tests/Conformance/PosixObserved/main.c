#include "conformance_posix.h"

int main(int argc, char **argv) { return conformance_main(argc, argv, posix_tables); }

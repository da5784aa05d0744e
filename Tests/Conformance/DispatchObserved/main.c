#include "conformance_dispatch.h"

int main(int argc, char **argv) { return conformance_main(argc, argv, dispatch_tables); }

// This program is never run. The build links it, and so makes the libraries that it is linked with.

// Nobody runs it: it is linked so that the build makes the libraries that it is linked with.

import ThreadmillMutexCases

// Built without Threadmill: watched by preloading, or not at all.
MutexCases.run(Array(CommandLine.arguments.dropFirst()))

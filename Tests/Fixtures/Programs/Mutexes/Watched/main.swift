import Threadmill
import ThreadmillMutexCases

// The same, linked with Threadmill.
MutexCases.run(Array(CommandLine.arguments.dropFirst()))

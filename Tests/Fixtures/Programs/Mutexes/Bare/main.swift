import ThreadmillMutexCases
import ThreadmillOptimisedMutexCases

// Built without Threadmill: watched by preloading, or not at all.
var arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "optimised" {
  ThreadmillOptimisedMutexCases.MutexCases.run(Array(arguments.dropFirst()))
} else {
  ThreadmillMutexCases.MutexCases.run(arguments)
}

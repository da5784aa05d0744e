import ThreadmillMutexCases
import ThreadmillOptimisedMutexCases

// The cases of mutexes, in a program without Threadmill: watched by preloading, or not at all.
let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "optimised" {
  ThreadmillOptimisedMutexCases.MutexCases.run(Array(arguments.dropFirst()))
} else {
  ThreadmillMutexCases.MutexCases.run(arguments)
}

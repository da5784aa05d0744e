import Threadmill
import ThreadmillMutexCases
import ThreadmillOptimisedMutexCases

// The cases of mutexes, in a program that is linked with Threadmill.
let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "optimised" {
  ThreadmillOptimisedMutexCases.MutexCases.run(Array(arguments.dropFirst()))
} else {
  ThreadmillMutexCases.MutexCases.run(arguments)
}

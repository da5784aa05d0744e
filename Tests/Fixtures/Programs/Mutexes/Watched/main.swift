import Threadmill
import ThreadmillMutexCases
import ThreadmillOptimisedMutexCases

// The same, linked with Threadmill.
var arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "optimised" {
  ThreadmillOptimisedMutexCases.MutexCases.run(Array(arguments.dropFirst()))
} else {
  ThreadmillMutexCases.MutexCases.run(arguments)
}

import Threadmill
import ThreadmillBenchCases

BenchProgram.run(Array(CommandLine.arguments.dropFirst()))

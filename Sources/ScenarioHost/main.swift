import ThreadmillScenarioHost

runScenarioHost(Array(CommandLine.arguments.dropFirst()))

extension Command {
  /// Every command there is, in the order of `--help`: the one place to add another.
  package static let table: [Command] = [
    run, test, explore, replay, link, report, scenariosList, scenariosRun, scenariosVerify,
    scenariosRates, doctor,
  ]
}

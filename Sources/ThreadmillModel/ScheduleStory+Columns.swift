extension ScheduleStory {
  /// The same without columns of which nothing is told. The first one stays: the body begins there.
  package var withoutEmptyColumns: ScheduleStory {
    var told: Set<Int> = [0]
    told.formUnion(steps.map(\.column))
    told.formUnion(waits.map(\.step.column))
    told.formUnion(waits.compactMap(\.holder))
    let kept = columns.indices.filter(told.contains)
    let places = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($1, $0) })
    var story = self
    story.columns = kept.map { columns[$0] }
    for index in steps.indices { story.steps[index].column = places[steps[index].column] ?? 0 }
    for index in waits.indices {
      story.waits[index].step.column = places[waits[index].step.column] ?? 0
      story.waits[index].holder = waits[index].holder.flatMap { places[$0] }
    }
    return story
  }
}

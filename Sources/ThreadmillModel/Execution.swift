/// The submitted work that a thread runs (a block or a job of the Swift runtime), with its queues.
package struct Execution: Hashable, Sendable {
  /// One queue on the way. Its name is kept here, because the queue may be gone when it is told.
  package struct Queue: Hashable, Sendable {
    package var id: LockID
    package var kind: SharedObject.Kind
    package var label: String?

    package init(id: LockID, kind: SharedObject.Kind, label: String? = nil) {
      self.id = id
      self.kind = kind
      self.label = label
    }
  }

  /// What the runtime says of its job.
  package struct Job: Hashable, Sendable {
    /// The task's number in its process; `nil` where it is not certain which task runs.
    package var task: UInt32?
    package var priority: Quality?

    package init(task: UInt32? = nil, priority: Quality? = nil) {
      self.task = task
      self.priority = priority
    }
  }

  /// The queue that it was given to, that one's target, and so on; without the global queue and
  /// without what the Swift runtime made for itself.
  package var queues: [Queue]
  /// The global queue at the end; `nil` for the main queue, and where that is not known.
  package var root: Quality?
  /// On the threads of Swift's tasks.
  package var isPooled: Bool
  /// The group that it was submitted with.
  package var group: LockID?
  /// `nil`: a block.
  package var job: Job?
  /// The actor that the task is isolated to, if that is certain.
  package var actor: LockID?

  package init(
    queues: [Queue] = [], root: Quality? = nil, isPooled: Bool = false, group: LockID? = nil,
    job: Job? = nil, actor: LockID? = nil
  ) {
    self.queues = queues
    self.root = root
    self.isPooled = isPooled
    self.group = group
    self.job = job
    self.actor = actor
  }
}

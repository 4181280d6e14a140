package io.strowger.core;

import java.nio.file.Path;
import java.util.List;

/** Thrown when a directory of plugins cannot be used; it names every problem. */
public final class UnusablePluginsException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;

  UnusablePluginsException(Path directory, List<String> problems) {
    super("the plugins in " + directory + " cannot be used: " + String.join("; ", problems));
    this.problems = List.copyOf(problems);
  }

  /** Returns one sentence for each problem, with the jar and the remedy; at least one. */
  public List<String> problems() {
    return problems;
  }
}

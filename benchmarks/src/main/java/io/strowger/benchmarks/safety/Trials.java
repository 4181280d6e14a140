package io.strowger.benchmarks.safety;

import java.util.ArrayList;
import java.util.List;

/** Every trial, in the order in which the report lists them. */
final class Trials {
  private Trials() {}

  static List<Trial> all() {
    var all = new ArrayList<Trial>();
    AttackScenario.ALL.forEach(scenario -> all.add(new HostileLoad(scenario)));
    all.add(new UnreadAnswers());
    all.add(new Overload());
    all.add(new ColdStart());
    return List.copyOf(all);
  }
}

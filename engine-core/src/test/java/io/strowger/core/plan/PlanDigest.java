package io.strowger.core.plan;

import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutePlan;
import io.strowger.spi.routing.TraceEntry;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.StringJoiner;

/** What many plans come to as one text: of decisions, not of what people read about them. */
final class PlanDigest {
  private static final int WORLDS = 1000;

  private PlanDigest() {}

  /** Writes it, so that another JVM can be asked for it. */
  public static void main(String[] arguments) throws NoSuchAlgorithmException {
    System.out.print(compute());
  }

  static String compute() throws NoSuchAlgorithmException {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (long seed = 0; seed < WORLDS; seed++) {
      digest.update(shown(new RoutedWorld(seed).plan()).getBytes(StandardCharsets.UTF_8));
    }
    return HexFormat.of().formatHex(digest.digest(), 0, 16);
  }

  private static String shown(RoutePlan plan) {
    var lines = new StringJoiner("\n", "", "\n\n");
    switch (plan) {
      case RoutePlan.NoRoute none -> lines.add(none.error().code().name());
      case RoutePlan.Attempts attempts -> {
        for (PlannedAttempt candidate : attempts.candidates()) {
          lines.add(
              candidate.endpoint().id()
                  + " "
                  + candidate.modelIndex()
                  + " "
                  + candidate.byokKey()
                  + " "
                  + candidate.probe());
        }
      }
    }
    for (TraceEntry fact : plan.trace()) {
      if (fact instanceof TraceEntry.Excluded dropped) {
        lines.add(dropped.endpoint() + " " + dropped.rule());
      }
    }
    return lines.toString();
  }
}

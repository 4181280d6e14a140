package io.strowger.core.plan;

import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutePlan;
import io.strowger.spi.routing.TraceEntry;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.StringJoiner;

/** Computes a digest of many plans: of their decisions, not of the texts that explain them. */
final class PlanDigest {
  private static final int WORLDS = 1000;

  private PlanDigest() {}

  /** Prints the digest, so that a test can compute it in another JVM. */
  public static void main(String[] arguments) throws NoSuchAlgorithmException {
    System.out.print(compute());
  }

  static String compute() throws NoSuchAlgorithmException {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (long seed = 0; seed < WORLDS; seed++) {
      digest.update(describe(new RoutedWorld(seed).plan()).getBytes(StandardCharsets.UTF_8));
    }
    return HexFormat.of().formatHex(digest.digest(), 0, 16);
  }

  private static String describe(RoutePlan plan) {
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
    for (TraceEntry entry : plan.trace()) {
      if (entry instanceof TraceEntry.Excluded dropped) {
        lines.add(dropped.endpoint() + " " + dropped.rule());
      }
    }
    return lines.toString();
  }
}

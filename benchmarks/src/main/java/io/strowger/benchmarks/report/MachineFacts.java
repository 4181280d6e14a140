package io.strowger.benchmarks.report;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Facts about the machine and the run that readers of the figures need. */
final class MachineFacts {
  private MachineFacts() {}

  /**
   * Returns the machine, the JDK, the measured commit, the time, and the load of the machine.
   *
   * @param start when the first figure was measured
   * @param quick whether runs were shortened
   */
  static List<ReportData.Fact> facts(Instant start, boolean quick) {
    var facts = new ArrayList<ReportData.Fact>();
    facts.add(new ReportData.Fact("processors", processors()));
    facts.add(new ReportData.Fact("memory", memory()));
    facts.add(
        new ReportData.Fact(
            "system",
            System.getProperty("os.name")
                + " "
                + System.getProperty("os.version")
                + ", "
                + System.getProperty("os.arch")));
    facts.add(
        new ReportData.Fact(
            "JDK",
            System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version")));
    String commit = System.getProperty("strowger.commit", ""); // set by the script
    facts.add(new ReportData.Fact("commit", commit.isEmpty() ? "not known" : commit));
    facts.add(new ReportData.Fact("begun", start.truncatedTo(ChronoUnit.SECONDS).toString()));
    long minutes = Math.ceilDiv(Duration.between(start, Instant.now()).toSeconds(), 60);
    facts.add(new ReportData.Fact("took", minutes + " minutes"));
    facts.add(
        new ReportData.Fact(
            "load of the machine at the end, the last minute",
            String.format(
                Locale.ROOT,
                "%.1f",
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage())));
    facts.add(
        new ReportData.Fact(
            "runs", quick ? "shortened: only ratios are reliable" : "of full length"));
    return facts;
  }

  private static String processors() {
    int count = Runtime.getRuntime().availableProcessors();
    try {
      return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
          .filter(line -> line.startsWith("model name"))
          .map(line -> count + " of " + line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(Integer.toString(count));
    } catch (IOException unavailable) {
      return Integer.toString(count);
    }
  }

  private static String memory() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
        ? String.format(Locale.ROOT, "%.1f GB", system.getTotalMemorySize() / 1e9)
        : "not known";
  }
}

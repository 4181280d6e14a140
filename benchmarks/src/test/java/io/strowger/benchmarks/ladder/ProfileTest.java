package io.strowger.benchmarks.ladder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import one.profiler.AsyncProfilerLoader;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A profile")
class ProfileTest {
  @Test
  @DisplayName("with invalid options is refused with exit code 2")
  void refused() throws Exception {
    var out = new ByteArrayOutputStream();
    assertThat(Profile.run(new String[] {"--rung", "top"}, new PrintStream(out))).isEqualTo(2);
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("--rung NAME");
  }

  @Test
  @Tag("full")
  @Tag("profiler") // not every machine lets a process be profiled
  @DisplayName("has a flame graph of processor time and one of allocation for each rung")
  void graphs(@TempDir Path folder) throws Exception {
    assumeTrue(AsyncProfilerLoader.isSupported(), "there is no profiler for this system");
    String[] args = {"--scenario", "1k", "--rung", "wire", "--store", "memory"};
    String[] times = {"--quick", "--warm-up", "4", "--load", "4"};
    var all = new String[args.length + times.length];
    System.arraycopy(args, 0, all, 0, args.length);
    System.arraycopy(times, 0, all, args.length, times.length);
    var out = new ByteArrayOutputStream();
    assertThat(Profile.run(all, folder, new PrintStream(out))).isZero();
    assertThat(Files.readString(folder.resolve("1k-wire-cpu.html"))).contains("<html", "strowger");
    assertThat(Files.readString(folder.resolve("1k-wire-alloc.html"))).contains("strowger");
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("1k-wire-alloc.html");
  }
}

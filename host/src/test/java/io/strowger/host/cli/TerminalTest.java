package io.strowger.host.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.tck.TestAmbient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A terminal")
class TerminalTest {
  private static final String ESCAPE = "\u001b";

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final TestAmbient ambient = TestAmbient.at("2026-11-26T12:00:00Z");

  private CommandContext context(Terminal terminal) {
    return new CommandContext(
        new ByteArrayInputStream(new byte[0]),
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        name -> null,
        ambient,
        terminal);
  }

  private static Terminal terminal(Function<String, @Nullable String> environment) {
    return Terminal.of("out,err", environment);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "'out,err', -, -, true, true, true",
        "out, -, -, true, false, false",
        "',err', -, -, false, true, true",
        "'', -, -, false, false, false",
        "-, -, -, false, false, false",
        "'out,err', 1, -, false, false, true",
        "'out,err', '', -, true, true, true",
        "'out,err', -, dumb, false, false, false"
      })
  @DisplayName(
      "has colours on each stream that is connected to it, unless NO_COLOR or TERM forbid them")
  void colors(
      @Nullable String streams,
      @Nullable String noColor,
      @Nullable String term,
      boolean outColored,
      boolean errColored,
      boolean rewrites) {
    Terminal terminal =
        Terminal.of(
            streams, name -> name.equals("NO_COLOR") ? noColor : name.equals("TERM") ? term : null);
    assertThat(terminal.out().isColored()).isEqualTo(outColored);
    assertThat(terminal.err().isColored()).isEqualTo(errColored);
    assertThat(terminal.canOverwrite()).isEqualTo(rewrites);
  }

  @Test
  @DisplayName("shows help and error messages in colour; other outputs have none")
  void commands() {
    assertThat(CommandLines.run(context(terminal(name -> null)), "--help")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).contains(ESCAPE);
    assertThat(CommandLines.run(context(terminal(name -> null)), "check", "--config", "/none"))
        .isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains(ESCAPE);
    out.reset();
    err.reset();
    CommandLines.run(context(Terminal.NONE), "--help");
    CommandLines.run(context(Terminal.NONE), "check", "--config", "/none");
    assertThat(out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8))
        .isNotBlank()
        .doesNotContain(ESCAPE);
  }

  @Test
  @DisplayName("shows progress in one line that is overwritten, and cleared in the end")
  void rewritten() {
    try (var progress = new ProgressLine(context(terminal(Map.of("NO_COLOR", "1")::get)))) {
      progress.show(() -> "too early");
      ambient.advance(Duration.ofSeconds(1));
      progress.show(() -> "one");
      progress.show(() -> "too soon");
      ambient.advance(Duration.ofMillis(100));
      progress.show(() -> "two");
    }
    assertThat(err.toString(StandardCharsets.UTF_8))
        .isEqualTo("\r\u001b[Kone\r\u001b[Ktwo\r\u001b[K");
  }

  @Test
  @DisplayName("that is missing is replaced by a new line of progress each second")
  void lines() {
    try (var progress = new ProgressLine(context(Terminal.NONE))) {
      ambient.advance(Duration.ofSeconds(1));
      progress.show(() -> "one");
      ambient.advance(Duration.ofMillis(999));
      progress.show(() -> "too soon");
      ambient.advance(Duration.ofMillis(1));
      progress.show(() -> "two");
    }
    assertThat(err.toString(StandardCharsets.UTF_8)).isEqualToNormalizingNewlines("one\ntwo\n");
  }
}

package io.strowger.host.cli;

import io.strowger.host.show.Style;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The styles of the output, and whether a line can be overwritten.
 *
 * @param out how results are styled
 * @param err how error messages and notes are styled
 * @param canOverwrite whether a line of standard error can be overwritten
 */
public record Terminal(Style out, Style err, boolean canOverwrite) {
  /** The terminal of output that goes to files and other programs. */
  public static final Terminal NONE = new Terminal(Style.PLAIN, Style.PLAIN, false);

  /**
   * Returns the properties of the terminal.
   *
   * @param streams the streams that are terminals, as detected by the script {@code ./gateway}:
   *     {@code out}, {@code err}, both separated by a comma, or empty; null when not detected
   * @param environment returns the value of an environment variable; null when it is not set. A
   *     {@code NO_COLOR} that is not empty and {@code TERM=dumb} turn colors off
   */
  public static Terminal of(
      @Nullable String streams, Function<String, @Nullable String> environment) {
    if (streams == null) {
      return NONE;
    }
    List<String> terminals = Arrays.asList(streams.split(","));
    String noColor = environment.apply("NO_COLOR");
    boolean isDumb = "dumb".equals(environment.apply("TERM"));
    boolean colors = (noColor == null || noColor.isEmpty()) && !isDumb;
    return new Terminal(
        style(colors && terminals.contains("out")),
        style(colors && terminals.contains("err")),
        terminals.contains("err") && !isDumb);
  }

  private static Style style(boolean colored) {
    return colored ? Style.COLORED : Style.PLAIN;
  }
}

package io.strowger.host.cli;

import io.strowger.host.show.Style;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What people see of the output.
 *
 * @param out how results are styled
 * @param err how complaints and notes are styled
 * @param rewrites whether a line of standard error can be written over
 */
public record Terminal(Style out, Style err, boolean rewrites) {
  /** Output that goes to files and other programs. */
  public static final Terminal NONE = new Terminal(Style.PLAIN, Style.PLAIN, false);

  /**
   * Returns what people see.
   *
   * @param streams which streams are terminals, as the script found out, which can tell: {@code
   *     out}, {@code err}, both separated by a comma, or neither; null: nobody looked
   * @param environment a variable's value; null when it is not set. {@code NO_COLOR} that is not
   *     empty and {@code TERM=dumb} turn colours off
   */
  public static Terminal of(
      @Nullable String streams, Function<String, @Nullable String> environment) {
    if (streams == null) {
      return NONE;
    }
    List<String> terminals = Arrays.asList(streams.split(","));
    String noColor = environment.apply("NO_COLOR");
    boolean dumb = "dumb".equals(environment.apply("TERM"));
    boolean colors = (noColor == null || noColor.isEmpty()) && !dumb;
    return new Terminal(
        style(colors && terminals.contains("out")),
        style(colors && terminals.contains("err")),
        terminals.contains("err") && !dumb);
  }

  private static Style style(boolean colored) {
    return colored ? Style.COLORED : Style.PLAIN;
  }
}

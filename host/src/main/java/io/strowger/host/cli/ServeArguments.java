package io.strowger.host.cli;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of {@code gateway serve}; null for options that are not given.
 *
 * @param config the configuration file
 * @param host the address to listen on
 * @param port the port to listen on, 0 to 65535; 0 picks a free one
 * @param data the data directory
 * @param plugins the directory of plugins
 * @param decisions the decision log
 */
record ServeArguments(
    Path config,
    @Nullable String host,
    @Nullable Integer port,
    @Nullable Path data,
    @Nullable Path plugins,
    @Nullable Path decisions) {
  private static final List<String> OPTIONS =
      List.of("--config", "--host", "--port", "--data", "--plugins", "--decisions");

  /** A value that means the same however it is read: no option, and no file of arguments. */
  private static final Pattern PLAIN_VALUE = Pattern.compile("[^-@].*", Pattern.DOTALL);

  private static final Pattern PLAIN_PORT = Pattern.compile("0|[1-9][0-9]{0,4}");

  /**
   * Reads a command line of serve in its usual form, each option followed by its value, without
   * picocli. Up to JDK 25, a cache of classes cannot keep classes in the old format that picocli
   * has, and loading 170 of them from their jar is a large part of a start.
   *
   * @return null when picocli has to read the command line, which may be another command, wrong, or
   *     of another form
   */
  static @Nullable ServeArguments read(String... args) {
    if (args.length % 2 == 0 || !args[0].equals("serve")) {
      return null;
    }
    Map<String, String> values = new HashMap<>();
    for (int i = 1; i < args.length; i += 2) {
      boolean isPlain = OPTIONS.contains(args[i]) && PLAIN_VALUE.matcher(args[i + 1]).matches();
      if (!isPlain || values.put(args[i], args[i + 1]) != null) {
        return null;
      }
    }
    String config = values.get("--config");
    String port = values.get("--port");
    if (config == null || port != null && !isPort(port)) {
      return null;
    }
    return new ServeArguments(
        Path.of(config),
        values.get("--host"),
        port == null ? null : Integer.valueOf(port),
        path(values.get("--data")),
        path(values.get("--plugins")),
        path(values.get("--decisions")));
  }

  private static boolean isPort(String value) {
    return PLAIN_PORT.matcher(value).matches()
        && Integer.parseInt(value) <= ServeCommand.LARGEST_PORT;
  }

  private static @Nullable Path path(@Nullable String value) {
    return value == null ? null : Path.of(value);
  }
}

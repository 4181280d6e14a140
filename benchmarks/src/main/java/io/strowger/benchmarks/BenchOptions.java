package io.strowger.benchmarks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The options of a benchmark's command line. Immutable. */
public final class BenchOptions {
  /** The only option without a value. */
  public static final String QUICK = "--quick";

  private final Map<String, List<String>> values = new HashMap<>();

  private BenchOptions() {}

  /**
   * Reads a command line.
   *
   * @param names the options that a command line may have, each as often as it likes
   * @throws IllegalArgumentException when an option is unknown or has no value
   */
  public static BenchOptions parse(String[] args, List<String> names) {
    var arguments = new BenchOptions();
    for (int i = 0; i < args.length; i++) {
      String name = args[i];
      if (!names.contains(name)) {
        throw new IllegalArgumentException("unknown option " + name);
      }
      if (!name.equals(QUICK) && ++i == args.length) {
        throw new IllegalArgumentException(name + " needs a value");
      }
      arguments.values.computeIfAbsent(name, first -> new ArrayList<>()).add(args[i]);
    }
    return arguments;
  }

  /** A program with options. */
  public interface Program<T> {
    /** Runs the program and returns its exit code. */
    int run(T options) throws Exception;
  }

  /**
   * Runs a program, or prints how it is used when the command line asks for that or cannot be read.
   *
   * @param reader reads the command line; throws {@link IllegalArgumentException} when it cannot
   * @return the exit code: 2 when the command line cannot be read
   */
  public static <T> int run(
      String[] args,
      String usage,
      PrintStream out,
      Function<String[], T> reader,
      Program<T> program)
      throws Exception {
    if (List.of(args).contains("--help")) {
      out.print(usage);
      return 0;
    }
    T options;
    try {
      options = reader.apply(args);
    } catch (IllegalArgumentException notUnderstood) {
      out.println("not understood: " + notUnderstood.getMessage());
      out.print(usage);
      return 2;
    }
    return program.run(options);
  }

  /** Returns whether the command line has the option. */
  public boolean has(String name) {
    return values.containsKey(name);
  }

  /** Returns the values of an option, in order; empty without the option. */
  public List<String> all(String name) {
    return values.getOrDefault(name, List.of());
  }

  /** Returns the last value of an option; null without the option. */
  public @Nullable String last(String name) {
    return has(name) ? all(name).getLast() : null;
  }

  /**
   * Returns the last value of an option that is one of some words; null without the option.
   *
   * @throws IllegalArgumentException when it is another word
   */
  public @Nullable String word(String name, String first, String second) {
    String word = last(name);
    if (word != null && !word.equals(first) && !word.equals(second)) {
      throw new IllegalArgumentException(
          "%s must be %s or %s, was %s".formatted(name, first, second, word));
    }
    return word;
  }

  /**
   * Returns the last value of an option that is a whole number from 1 on.
   *
   * @param otherwise the number without the option
   * @throws IllegalArgumentException when it is no such number, or larger than {@code max}
   */
  public int number(String name, int otherwise, int max) {
    String value = last(name);
    if (value == null) {
      return otherwise;
    }
    try {
      int number = Integer.parseInt(value);
      if (number >= 1 && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new IllegalArgumentException(
        "%s must be a whole number from 1 to %d, was %s".formatted(name, max, value));
  }
}

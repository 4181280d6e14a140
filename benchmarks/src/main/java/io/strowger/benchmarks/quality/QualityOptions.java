package io.strowger.benchmarks.quality;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The options of {@code bench quality}.
 *
 * @param file a file with one question on each line
 * @param routers the routers to judge, from {@link RouterSettings#ROUTERS}
 * @param seed the seed of the random choices of decisions
 * @param learnPercent the percentage of questions to learn from, 1 to 99
 * @param codeCategories the categories of the questions that coding scores are learned from; empty
 *     for all questions
 */
record QualityOptions(
    Path file, List<String> routers, long seed, int learnPercent, List<String> codeCategories) {
  static final String USAGE =
      """
      quality takes FILE.jsonl                real outcomes of models, one question a line:
                                              {"id","dataset","prompt","category",
                                               "models":{"NAME":{"score":0..1,"cost_usd":X}}}
                    --router ROUTER           judge only these routers, one for each option:
                                              router/auto, router/auto-beta,
                                              router/pareto-code or router/free
                    --learn PERCENT           of the questions to learn from, 1 to 99; the others are
                                              judged (50)
                    --code CATEGORY,CATEGORY  learns coding_score from questions of these categories;
                                              without it from all questions, as intelligence_score
                    --seed N                  of the random choices of decisions (1)
      exit codes: 0 done, 1 the file cannot be read, 2 the file or the command line is not understood
      """;

  private static final int DEFAULT_LEARN_PERCENT = 50;

  QualityOptions {
    routers = List.copyOf(routers);
    codeCategories = List.copyOf(codeCategories);
  }

  /**
   * Reads a command line.
   *
   * @throws IllegalArgumentException when an argument is invalid; the message says which
   */
  static QualityOptions of(String... args) {
    Path file = null;
    var routers = new ArrayList<String>();
    var codeCategories = new ArrayList<String>();
    long seed = 1;
    int learnPercent = DEFAULT_LEARN_PERCENT;
    for (int i = 0; i < args.length; i++) {
      String option = args[i];
      if (!option.startsWith("--")) {
        if (file != null) {
          throw new IllegalArgumentException("there is one FILE, and " + option + " is another");
        }
        file = Path.of(option);
        continue;
      }
      String value = ++i < args.length ? args[i] : "";
      switch (option) {
        case "--router" -> routers.add(router(value));
        case "--learn" -> learnPercent = (int) number(option, value, 1, 99);
        case "--code" -> codeCategories.addAll(Arrays.asList(value.split(",")));
        case "--seed" -> seed = number(option, value, Long.MIN_VALUE, Long.MAX_VALUE);
        default -> throw new IllegalArgumentException("there is no option " + option);
      }
    }
    if (file == null) {
      throw new IllegalArgumentException("FILE.jsonl is missing");
    }
    return new QualityOptions(
        file,
        routers.isEmpty() ? RouterSettings.ROUTERS : routers,
        seed,
        learnPercent,
        codeCategories);
  }

  private static String router(String name) {
    if (!RouterSettings.ROUTERS.contains(name)) {
      throw new IllegalArgumentException(
          "--router must be one of %s, was %s"
              .formatted(String.join(", ", RouterSettings.ROUTERS), name));
    }
    return name;
  }

  private static long number(String option, String value, long min, long max) {
    try {
      long number = Long.parseLong(value);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(option + " must be a whole number, was " + value, e);
    }
    throw new IllegalArgumentException(
        "%s must be from %d to %d, was %s".formatted(option, min, max, value));
  }
}

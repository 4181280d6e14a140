package io.strowger.benchmarks.quality;

import io.strowger.core.ambient.SystemAmbient;
import io.strowger.host.cli.CommandContext;
import io.strowger.host.cli.ProgressLine;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Measures the quality per dollar of the built-in routers, by real outcomes of models on questions.
 * The prices and scores of a catalog are learned from some of the questions. A gateway with that
 * catalog then chooses a model for each of the other questions, and the file has the score and the
 * cost of that model. Fixed choices of models are judged in the same way.
 *
 * <p>Nothing is sent, and the same file gives the same output.
 */
public final class QualityBench {
  private static final int MAX_PROBLEMS = 20;

  private QualityBench() {}

  /** Thrown when routers cannot be judged by the file with these options. */
  private static final class UnusableException extends Exception {
    private static final long serialVersionUID = 1L;

    UnusableException(String message) {
      super(message, null, false, false);
    }
  }

  /**
   * @return the exit code: 0 when the table was printed, 1 when the file cannot be read, 2 when the
   *     file or the command line was not understood
   */
  public static int run(String[] args, PrintStream out) {
    if (List.of(args).contains("--help")) {
      out.print(QualityOptions.USAGE);
      return 0;
    }
    QualityOptions options;
    try {
      options = QualityOptions.of(args);
    } catch (IllegalArgumentException e) {
      out.print(e.getMessage() + "\n" + QualityOptions.USAGE);
      return 2;
    }
    QuestionFile file;
    try {
      file = QuestionFile.read(options.file());
    } catch (NoSuchFileException e) {
      out.println("there is no file " + options.file());
      return 1;
    } catch (IOException e) {
      out.println(options.file() + " cannot be read: " + e.getMessage());
      return 1;
    }
    if (!file.problems().isEmpty()) {
      printProblems(options, file.problems(), out);
      return 2;
    }
    try {
      judge(options, file.questions()).forEach(out::println);
      return 0;
    } catch (UnusableException e) {
      out.println(options.file() + ": " + e.getMessage());
      return 2;
    }
  }

  private static void printProblems(
      QualityOptions options, List<String> problems, PrintStream out) {
    int count = problems.size();
    out.println(options.file() + " has " + (count == 1 ? "a problem" : count + " problems"));
    problems.stream().limit(MAX_PROBLEMS).forEach(problem -> out.println("  " + problem));
    if (count > MAX_PROBLEMS) {
      out.println("  and " + (count - MAX_PROBLEMS) + " more");
    }
  }

  /** Returns the lines of the report. */
  private static List<String> judge(QualityOptions options, List<Question> questions)
      throws UnusableException {
    ComparableQuestions comparable = ComparableQuestions.of(questions);
    if (comparable.models().isEmpty()) {
      throw new UnusableException("more than half of the questions must have a model in common");
    }
    HashSplit split = HashSplit.of(comparable.questions(), options.learnPercent());
    if (split.learning().isEmpty() || split.judged().isEmpty()) {
      throw new UnusableException(
          "too few questions: %d to learn from and %d to judge, of %d that have all models"
              .formatted(
                  split.learning().size(), split.judged().size(), comparable.questions().size()));
    }
    List<Question> code = codeQuestions(options, split.learning());
    LearnedModels models = LearnedModels.of(comparable.models(), split.learning(), code);
    return new QualityReport(
            options,
            comparable,
            split,
            code.size(),
            models,
            Baselines.of(models, split.judged()),
            decide(options, models, split.judged()))
        .lines();
  }

  private static List<Question> codeQuestions(QualityOptions options, List<Question> learning)
      throws UnusableException {
    List<String> categories = options.codeCategories();
    if (categories.isEmpty()) {
      return learning;
    }
    for (String category : categories) {
      if (learning.stream().noneMatch(question -> question.category().equals(category))) {
        throw new UnusableException("no question to learn from has the category " + category);
      }
    }
    return learning.stream().filter(question -> categories.contains(question.category())).toList();
  }

  private static List<ChoiceTally> decide(
      QualityOptions options, LearnedModels models, List<Question> judged) {
    List<RouterSettings.RouterSetting> settings = RouterSettings.of(options.routers(), models);
    var tallies = new ArrayList<ChoiceTally>();
    int total = settings.size() * judged.size();
    int decided = 0;
    try (var chooser = new RouterChooser(models, options.seed());
        var progress = new ProgressLine(CommandContext.standard(new SystemAmbient()))) {
      for (RouterSettings.RouterSetting setting : settings) {
        var tally = new ChoiceTally(setting.label());
        for (Question question : judged) {
          chooser.choose(setting, question, tally);
          int count = ++decided;
          progress.show(() -> String.format(Locale.ROOT, "deciding: %,d of %,d", count, total));
        }
        tallies.add(tally);
      }
    }
    return tallies;
  }
}

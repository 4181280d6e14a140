package io.strowger.benchmarks.quality;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The questions of a file that has one JSON object on each line, in UTF-8. Blank lines are skipped.
 *
 * @param questions those of the lines without problems, in the order of the file
 * @param problems every problem of the file, each with the number of its line, the first being 1
 */
record QuestionFile(List<Question> questions, List<String> problems) {
  QuestionFile {
    questions = List.copyOf(questions);
    problems = List.copyOf(problems);
  }

  /**
   * Reads a file.
   *
   * @throws IOException when the file cannot be read
   */
  static QuestionFile read(Path file) throws IOException {
    byte[] content = Files.readAllBytes(file);
    var lines = new Lines();
    int start = 0;
    for (int i = 0; i <= content.length; i++) {
      if (i == content.length || content[i] == '\n') {
        lines.add(Arrays.copyOfRange(content, start, i));
        start = i + 1;
      }
    }
    return new QuestionFile(lines.questions, lines.problems);
  }

  /**
   * Reads the lines of a file, each with the members {@code id}, {@code prompt} and {@code models}
   * ({@code {"name": {"score", "cost_usd"}}}). The members {@code dataset} and {@code category} may
   * be left out; other members are ignored. Confined to one thread.
   */
  private static final class Lines {
    private static final BigDecimal MAX_COST = BigDecimal.valueOf(1_000_000); // US dollars

    final List<Question> questions = new ArrayList<>();
    final List<String> problems = new ArrayList<>();
    private final JsonCodec codec = new JacksonCodec();
    private final Map<String, Integer> lineById = new HashMap<>();
    private int number;

    void add(byte[] line) {
      number++;
      if (isBlank(line)) {
        return;
      }
      int problemsBefore = problems.size();
      try {
        Question question = parse(codec.parse(line));
        if (problems.size() == problemsBefore && isNewId(question.id())) {
          questions.add(question);
        }
      } catch (JsonCodec.MalformedJsonException e) {
        addProblem("is not JSON: " + e.getMessage());
      }
    }

    private static boolean isBlank(byte[] line) {
      for (byte character : line) {
        if (character != ' ' && character != '\t' && character != '\r') {
          return false;
        }
      }
      return true;
    }

    private boolean isNewId(String id) {
      Integer other = lineById.putIfAbsent(id, number);
      if (other != null) {
        addProblem("/id is the same as on line " + other + ": " + id);
      }
      return other == null;
    }

    private void addProblem(String problem) {
      problems.add("line " + number + ": " + problem);
    }

    /** Returns the question; to be used only when no problem was added. */
    private Question parse(Json line) {
      if (!(line instanceof Json.Obj object)) {
        addProblem("must be an object, is " + line.kind());
        return new Question("", "", "", "", Map.of());
      }
      String id = text(object, "id", true);
      if (id.isEmpty() && object.get("id") instanceof Json.Str) {
        addProblem("/id must not be empty");
      }
      return new Question(
          id,
          text(object, "dataset", false),
          text(object, "category", false),
          text(object, "prompt", true),
          outcomes(object));
    }

    private String text(Json.Obj object, String member, boolean required) {
      Json value = object.get(member);
      if (value instanceof Json.Str text) {
        return text.text();
      }
      if (value != null) {
        addProblem("/" + member + " must be a string, is " + value.kind());
      } else if (required) {
        addProblem("/" + member + " is missing");
      }
      return "";
    }

    private Map<String, Question.ModelOutcome> outcomes(Json.Obj object) {
      var outcomes = new LinkedHashMap<String, Question.ModelOutcome>();
      if (!(object.get("models") instanceof Json.Obj models) || models.size() == 0) {
        addProblem("/models must be an object with at least one model");
        return outcomes;
      }
      for (int i = 0; i < models.size(); i++) {
        String place = "/models/" + models.name(i);
        if (models.value(i) instanceof Json.Obj outcome) {
          double score = number(outcome, "score", BigDecimal.ONE, place);
          double cost = number(outcome, "cost_usd", MAX_COST, place);
          outcomes.put(models.name(i), new Question.ModelOutcome(score, cost));
        } else {
          addProblem(place + " must be an object with score and cost_usd");
        }
      }
      return outcomes;
    }

    private double number(Json.Obj outcome, String member, BigDecimal max, String place) {
      if (outcome.get(member) instanceof Json.Num number) {
        BigDecimal value = decimal(number);
        if (value.signum() >= 0 && value.compareTo(max) <= 0) {
          return value.doubleValue();
        }
      }
      addProblem(
          "%s/%s must be a number from 0 to %s".formatted(place, member, max.toPlainString()));
      return 0;
    }

    private static BigDecimal decimal(Json.Num number) {
      try {
        return number.decimal();
      } catch (NumberFormatException e) { // an exponent beyond 32 bits is outside every range
        return BigDecimal.ONE.negate();
      }
    }
  }
}

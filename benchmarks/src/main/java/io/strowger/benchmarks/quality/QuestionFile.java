package io.strowger.benchmarks.quality;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.provider.JsonCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
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

  /** Collects the questions of the lines and their problems. */
  private static final class Lines {
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
      var parser = new QuestionParser();
      try {
        Question question = parser.parse(codec.parse(line));
        parser.problems().forEach(this::addProblem);
        if (parser.problems().isEmpty() && isNewId(question.id())) {
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
  }
}

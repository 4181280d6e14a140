package io.strowger.benchmarks.quality;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The questions q3, q4 and q5 are for learning, by the hashes of their ids; the others are not. */
@DisplayName("bench quality")
class QualityBenchTest {
  @TempDir private Path folder;

  /** Returns a line; the costs of the models are 1, 2 and {@code bigCost} thousandths of USD. */
  private static String line(String id, int small, int mid, int big, int bigCost) {
    return line(id, "facts", outcomes(small, mid, big, bigCost));
  }

  private static String line(String id, String category, String models) {
    return String.format(
        Locale.ROOT,
        "{\"id\":\"%s\",\"dataset\":\"d\",\"prompt\":\"Who?\",\"category\":\"%s\","
            + "\"models\":{%s}}\n",
        id,
        category,
        models);
  }

  private static String outcomes(int small, int mid, int big, int bigCost) {
    return String.join(
        ",", outcome("small", small, 1), outcome("mid", mid, 2), outcome("big", big, bigCost));
  }

  private static String outcome(String model, int score, int thousandths) {
    return String.format(
        Locale.ROOT, "\"%s\":{\"score\":%d,\"cost_usd\":%s}", model, score, thousandths / 1_000.0);
  }

  private static final String LEARNED =
      line("q3", 0, 1, 1, 10) + line("q4", 0, 1, 1, 10) + line("q5", 1, 0, 1, 10);
  private static final String JUDGED =
      line("q1", 1, 1, 1, 10)
          + line("q2", 0, 1, 1, 10)
          + line("q8", 0, 0, 1, 10)
          + line("q10", 0, 0, 0, 30);

  private Path file(String content) throws IOException {
    return Files.writeString(folder.resolve("outcomes.jsonl"), content);
  }

  private static String output(int code, String... args) {
    var out = new ByteArrayOutputStream();
    assertThat(QualityBench.run(args, new PrintStream(out, true, StandardCharsets.UTF_8)))
        .isEqualTo(code);
    return out.toString(StandardCharsets.UTF_8);
  }

  /** Returns the lines of a table in the output, with single blanks. */
  private static String table(String output, String heading) {
    String from = output.substring(output.indexOf("\n" + heading));
    int end = from.indexOf("\n\n");
    return from.substring(0, end < 0 ? from.length() : end).replaceAll(" +", " ");
  }

  @Test
  @DisplayName("prints the figures of each choice as calculated by hand")
  void figures() throws Exception {
    String output = output(0, file(LEARNED + JUDGED).toString());
    assertThat(output)
        .startsWith("outcomes.jsonl: 7 questions, each with the outcomes of 3 models")
        .contains("learned from 3 questions, judged on the other 4;")
        .contains("costs are those in the file");
    assertThat(table(output, "learned:"))
        .contains(
            "\n small 1 0.3333 0.333 0.333\n mid 2 0.6667 0.667 0.667\n big 10 1.0000 1.000 1.000");
    String small = " 0.2500 0.2500 1 250 0.0% 6.7%\n";
    String mid = " 0.5000 0.2887 2 250 50.0% 13.3%\n";
    String big = " 0.7500 0.2500 15 50 100.0% 100.0%\n";
    assertThat(table(output, "judged:"))
        .contains("\n always the cheapest model" + small)
        .contains("\n always the best model" + big)
        .contains("\n a random model 0.5000 0.2152 6 83 50.0% 40.0%\n")
        .contains("\n oracle 0.7500 0.2500 3.5 214 100.0% 23.3%\n")
        .contains("\n router/auto" + small)
        .contains("\n router/auto cost_tier low" + small)
        .contains("\n router/auto cost_tier high" + mid)
        .contains("\n router/auto cost_tier max" + big)
        .contains("\n router/auto cost_quality_tradeoff 0" + mid)
        .contains("\n router/auto cost_quality_tradeoff 10" + small)
        .contains("\n router/auto-beta" + small)
        .contains("\n router/pareto-code min_coding_score 0.66" + big)
        .contains("\n router/pareto-code min_coding_score 0" + mid)
        .contains("\n router/pareto-code max_price 1 0.0000 0.0000 0 - -50.0% 0.0%\n")
        .contains("\n router/pareto-code max_price 2" + mid)
        .contains("\n router/pareto-code max_price 10" + big)
        .contains("router/pareto-code max_price 1 refused 4 of 4 questions, which count as score 0")
        .contains("router/free is left out: every model of the file costs money.");
    assertThat(table(output, "chosen:"))
        .contains("\n oracle small 50.0%, big 25.0%, mid 25.0%\n")
        .contains("\n router/auto cost_tier high mid 100.0%\n")
        .contains("\n router/pareto-code max_price 1 none\n");
  }

  @Test
  @DisplayName("gives the same output for the same file, and for its lines in another order")
  void repeatable() throws Exception {
    String first = output(0, file(LEARNED + JUDGED).toString());
    assertThat(output(0, file(LEARNED + JUDGED).toString())).isEqualTo(first);
    assertThat(output(0, file(JUDGED + LEARNED).toString())).isEqualTo(first);
  }

  @Test
  @DisplayName("judges one router alone, and router/free where a model costs nothing")
  void routers() throws Exception {
    String free = outcomes(0, 0, 1, 10) + "," + outcome("gift", 1, 0);
    Path file = file(line("q3", "facts", free) + line("q1", "facts", free));
    String output = output(0, file.toString(), "--router", "router/free", "--seed", "7");
    assertThat(output).contains("judged: 1 question, seed 7").doesNotContain("router/auto");
    assertThat(table(output, "judged:")).contains("\n router/free 1.0000 - 0 - - -\n");
  }

  @Test
  @DisplayName("learns coding scores from the categories of code, and routes by them")
  void codingScores() throws Exception {
    String learned = LEARNED + line("q7", "code", outcomes(1, 0, 0, 10));
    String output = output(0, file(learned + JUDGED).toString(), "--code", "code");
    assertThat(output).contains("coding_score: the same by 1 question of code.");
    assertThat(table(output, "learned:"))
        .contains("\n small 1 0.5000 0.667 1.000\n mid 2 0.5000 0.667 0.667\n big 10 0.7500");
    assertThat(table(output, "chosen:"))
        .contains("\n router/pareto-code min_coding_score 0.66 small 100.0%\n");
    assertThat(output(2, file(learned + JUDGED).toString(), "--code", "code,sql"))
        .contains("no question to learn from has the category sql");
  }

  @Test
  @DisplayName("compares the models that most questions have, and names what it leaves out")
  void differentModels() throws Exception {
    String others =
        line("q6", "facts", outcome("small", 1, 1))
            + line("q9", "facts", outcomes(1, 1, 1, 10) + "," + outcome("rare", 1, 1));
    assertThat(output(0, file(LEARNED + JUDGED + others).toString()))
        .startsWith("outcomes.jsonl: 8 questions, each with the outcomes of 3 models")
        .contains("left out, models that at most half of the questions have: rare (1)\n")
        .contains("left out, 1 question without an outcome of one of the models: q6\n");
    String unlike =
        line("q3", "facts", outcome("a", 1, 1)) + line("q1", "facts", outcome("b", 1, 1));
    assertThat(output(2, file(unlike).toString()))
        .contains("more than half of the questions must have a model in common");
    assertThat(output(2, file(LEARNED).toString()))
        .contains("too few questions: 3 to learn from and 0 to judge");
  }

  @Test
  @DisplayName("learns from the wanted percentage, by the hash of the id alone")
  void split() throws Exception {
    // the first byte of the SHA-256 is 0x11 for q4, 0x26 for q5, 0x58 for q3
    assertThat(output(0, file(LEARNED + JUDGED).toString(), "--learn", "10"))
        .contains("learned from 1 question, judged on the other 6;");
    assertThat(output(0, file(LEARNED + JUDGED).toString(), "--learn", "20"))
        .contains("learned from 2 questions, judged on the other 5;");
  }

  @Test
  @DisplayName("reports every malformed line with its number, but at most twenty problems")
  void malformed() throws Exception {
    String content =
        LEARNED
            + "\n{ \"id\": 1 }\n[]\n{\"id\"\n"
            + line("q3", 0, 0, 0, 10)
            + line("q20", "facts", "\"x\": 1")
            + line(
                "q21",
                "facts",
                "\"x\":{\"score\":1.5,\"cost_usd\":-1},\"y\":{\"score\":1e99999999999}")
            + "{\"id\":\"\",\"prompt\":\"p\",\"models\":{}}\n";
    assertThat(output(2, file(content).toString()).lines())
        .contains(
            "  line 5: /id must be a string, is number",
            "  line 5: /prompt is missing",
            "  line 5: /models must be an object with at least one model",
            "  line 6: must be an object, is array",
            "  line 8: /id is the same as on line 1: q3",
            "  line 9: /models/x must be an object with score and cost_usd",
            "  line 10: /models/x/score must be a number from 0 to 1",
            "  line 10: /models/x/cost_usd must be a number from 0 to 1000000",
            "  line 10: /models/y/score must be a number from 0 to 1",
            "  line 10: /models/y/cost_usd must be a number from 0 to 1000000",
            "  line 11: /id must not be empty",
            "  line 11: /models must be an object with at least one model")
        .anyMatch(line -> line.startsWith("  line 7: is not JSON: "))
        .hasSize(14)
        .first()
        .asString()
        .endsWith("outcomes.jsonl has 13 problems");
    assertThat(output(2, file("[]\n".repeat(25)).toString()).lines())
        .hasSize(22)
        .last()
        .isEqualTo("  and 5 more");
  }

  @Test
  @DisplayName("explains its command line")
  void options() throws Exception {
    assertThat(output(0, "--help")).startsWith("quality takes FILE.jsonl");
    assertThat(output(2)).startsWith("FILE.jsonl is missing\nquality takes");
    assertThat(output(2, "a", "b")).startsWith("there is one FILE, and b is another");
    assertThat(output(2, "a", "--rooter", "x")).startsWith("there is no option --rooter");
    assertThat(output(2, "a", "--router")).startsWith("--router must be one of router/auto, ");
    assertThat(output(2, "a", "--seed", "x")).startsWith("--seed must be a whole number, was x");
    assertThat(output(2, "a", "--learn", "100")).startsWith("--learn must be from 1 to 99");
    assertThat(output(1, folder.resolve("none.jsonl").toString())).startsWith("there is no file");
    assertThat(output(1, folder.toString())).contains(" cannot be read: ");
  }
}

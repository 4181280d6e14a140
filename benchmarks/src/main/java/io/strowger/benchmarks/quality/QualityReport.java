package io.strowger.benchmarks.quality;

import io.strowger.host.show.Table;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The output of {@code bench quality}: the learned figures, the results of each way of choosing,
 * and the models it chose.
 *
 * @param codeQuestions the number of questions that the coding scores were learned from
 * @param routers one tally for each setting of a router
 */
record QualityReport(
    QualityOptions options,
    ComparableQuestions comparable,
    HashSplit split,
    int codeQuestions,
    LearnedModels models,
    Baselines baselines,
    List<ChoiceTally> routers) {
  private static final int MAX_IDS = 10;
  private static final int MAX_CHOSEN = 3;
  private static final int PERCENT = 100;
  private static final MathContext COST_DIGITS = new MathContext(4);
  private static final String UNDEFINED = "-";

  private static final List<String> LEGEND =
      List.of(
          "score: mean score of a judged question, 0 to 1. ±: its standard error, for other"
              + " questions",
          "  of the same kind; all rows answer the same questions.",
          "$/1,000: US dollars for 1,000 questions, by the costs in the file.",
          "correct/$: sum of the scores divided by the dollars.",
          "gap: share recovered of the quality gap between the cheapest and the best model.",
          "cost: share of what the best model costs.",
          "cheapest, best: by the questions learned from. random: exact expectation. oracle: knows",
          "  the outcomes and takes the cheapest of the best for each question; no router can.");

  /** Returns the lines to print. */
  List<String> lines() {
    var lines = new ArrayList<String>();
    addQuestions(lines);
    lines.add("");
    lines.add("learned: a catalog with one endpoint for each model");
    lines.addAll(learnedTable().lines(2));
    addLearnedLegend(lines);
    lines.add("");
    lines.add("judged: %s, seed %d".formatted(questions(split.judged().size()), options.seed()));
    lines.addAll(judgedTable().lines(2));
    LEGEND.forEach(line -> lines.add("  " + line));
    addRefusals(lines);
    lines.add("");
    lines.add("chosen: the models that were chosen most often");
    lines.addAll(chosenTable().lines(2));
    return lines;
  }

  private void addQuestions(List<String> lines) {
    var datasets = new TreeMap<String, Integer>();
    comparable.questions().forEach(question -> datasets.merge(question.dataset(), 1, Integer::sum));
    lines.add(
        "%s: %s, each with the outcomes of %d models"
            .formatted(
                options.file().getFileName(),
                questions(comparable.questions().size()),
                comparable.models().size()));
    if (datasets.size() > 1) {
      addWrapped(lines, "datasets: ", datasets);
    }
    addDropped(lines);
    lines.add(
        "learned from %s, judged on the other %s; a hash of a question's id says which"
            .formatted(questions(split.learning().size()), count(split.judged().size())));
    lines.add("costs are those in the file; nothing was sent");
  }

  private void addDropped(List<String> lines) {
    if (!comparable.droppedModels().isEmpty()) {
      addWrapped(
          lines,
          "left out, models that at most half of the questions have: ",
          comparable.droppedModels());
    }
    List<String> ids = comparable.droppedQuestions();
    if (!ids.isEmpty()) {
      String more = ids.size() > MAX_IDS ? " and " + count(ids.size() - MAX_IDS) + " more" : "";
      String shown = ids.stream().limit(MAX_IDS).collect(Collectors.joining(", "));
      lines.addAll(
          Table.wrap(
              "left out, %s without an outcome of one of the models: %s%s"
                  .formatted(questions(ids.size()), shown, more),
              Table.WIDTH));
    }
  }

  private static void addWrapped(List<String> lines, String prefix, Map<String, Integer> counts) {
    String text =
        counts.entrySet().stream()
            .map(entry -> entry.getKey() + " (" + count(entry.getValue()) + ")")
            .collect(Collectors.joining(", "));
    lines.addAll(Table.wrap(prefix + text, Table.WIDTH));
  }

  private Table learnedTable() {
    var table =
        new Table("model", ">$/1,000", ">mean score", ">intelligence_score", ">coding_score");
    for (LearnedModels.LearnedModel model : models.models()) {
      table.row(
          model.name(),
          dollars(model.price().dollarsPerMillion()),
          decimals(model.meanScore(), 4),
          decimals(model.intelligenceScore().doubleValue(), 3),
          decimals(model.codingScore().doubleValue(), 3));
    }
    return table;
  }

  private void addLearnedLegend(List<String> lines) {
    lines.add(
        "  $/1,000: US dollars for 1,000 questions, in the catalog the price of a million tokens.");
    lines.add(
        "  intelligence_score: share of the models that a model is as good as or better than.");
    lines.add(
        options.codeCategories().isEmpty()
            ? "  coding_score: the same; with --code, by the questions of some categories alone."
            : "  coding_score: the same by %s of %s."
                .formatted(questions(codeQuestions), String.join(", ", options.codeCategories())));
  }

  private Table judgedTable() {
    var table = new Table("choice", ">score", ">±", ">$/1,000", ">correct/$", ">gap", ">cost");
    baselines.all().forEach(tally -> addRow(table, tally));
    routers.forEach(tally -> addRow(table, tally));
    return table;
  }

  private void addRow(Table table, ChoiceTally tally) {
    table.row(
        tally.label(),
        decimals(tally.meanScore(), 4),
        decimals(tally.standardError(), 4),
        dollars(BigDecimal.valueOf(tally.costOfThousand())),
        perDollar(tally.correctPerDollar()),
        percent(gapRecovered(tally)),
        percent(tally.costOfThousand() / baselines.best().costOfThousand()));
  }

  /** Returns the share of the quality gap; not a number when the best model is not the better. */
  private double gapRecovered(ChoiceTally tally) {
    double from = baselines.cheapest().meanScore();
    double gap = baselines.best().meanScore() - from;
    return gap > 0 ? (tally.meanScore() - from) / gap : Double.NaN;
  }

  private void addRefusals(List<String> lines) {
    for (ChoiceTally tally : routers) {
      tally
          .refusals()
          .forEach(
              (message, count) ->
                  lines.addAll(
                      Table.wrap(
                          "  %s refused %s of %s, which count as score 0 at no cost: %s"
                              .formatted(
                                  tally.label(),
                                  count(count),
                                  questions(tally.questions()),
                                  message),
                          Table.WIDTH)));
    }
    if (options.routers().contains(RouterSettings.FREE) && !RouterSettings.hasFreeModel(models)) {
      lines.add("  router/free is left out: every model of the file costs money.");
    }
  }

  private Table chosenTable() {
    var table = new Table("choice", "models, with their share of the judged questions");
    List.of(baselines.cheapest(), baselines.best(), baselines.oracle())
        .forEach(tally -> table.row(tally.label(), chosen(tally)));
    routers.forEach(tally -> table.row(tally.label(), chosen(tally)));
    return table;
  }

  private static String chosen(ChoiceTally tally) {
    List<Map.Entry<String, Integer>> all = tally.chosen();
    String shown =
        all.stream()
            .limit(MAX_CHOSEN)
            .map(
                entry ->
                    entry.getKey() + " " + percent((double) entry.getValue() / tally.questions()))
            .collect(Collectors.joining(", "));
    return all.size() > MAX_CHOSEN
        ? shown + ", " + (all.size() - MAX_CHOSEN) + " more"
        : shown.isEmpty() ? "none" : shown;
  }

  private static String questions(int number) {
    return count(number) + (number == 1 ? " question" : " questions");
  }

  private static String count(int number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String decimals(double value, int decimals) {
    return Double.isFinite(value)
        ? String.format(Locale.ROOT, "%." + decimals + "f", value)
        : UNDEFINED;
  }

  private static String dollars(BigDecimal value) {
    return value.round(COST_DIGITS).stripTrailingZeros().toPlainString();
  }

  private static String perDollar(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%,.0f", value) : UNDEFINED;
  }

  private static String percent(double share) {
    return Double.isFinite(share)
        ? String.format(Locale.ROOT, "%.1f%%", share * PERCENT)
        : UNDEFINED;
  }
}

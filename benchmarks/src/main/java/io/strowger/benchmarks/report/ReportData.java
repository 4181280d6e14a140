package io.strowger.benchmarks.report;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one run, from which the page is made; the content of {@code report.json}.
 *
 * @param facts the facts about the machine and the run, in the order in which they are shown
 * @param sections the sections, in the order in which they are shown
 */
record ReportData(List<Fact> facts, List<ReportSection> sections) {
  /**
   * A fact about the machine or the run.
   *
   * @param name the name, such as "JDK"
   * @param value the value as it is shown
   */
  record Fact(String name, String value) {}

  ReportData {
    facts = List.copyOf(facts);
    sections = List.copyOf(sections);
  }

  Json.Obj toJson() {
    return Json.object()
        .put(
            "facts",
            Json.array(
                facts.stream()
                    .map(
                        fact ->
                            Json.object()
                                .put("name", fact.name())
                                .put("value", fact.value())
                                .build())
                    .toList()))
        .put("sections", Json.array(sections.stream().map(ReportSection::toJson).toList()))
        .build();
  }

  /**
   * Reads what {@link #toJson} wrote.
   *
   * @throws IOException when the file cannot be read or has another form
   */
  static ReportData read(Path file) throws IOException {
    try {
      return read((Json.Obj) new JacksonCodec().parse(Files.readAllBytes(file)));
    } catch (MalformedJsonException | ClassCastException | IllegalArgumentException e) {
      throw new IOException(file + " holds no results of bench report: " + e.getMessage(), e);
    }
  }

  /**
   * Returns a required member.
   *
   * @throws IllegalArgumentException when it is missing
   */
  static <T> T required(@Nullable T member, String name) {
    if (member == null) {
      throw new IllegalArgumentException("the member " + name + " is missing");
    }
    return member;
  }

  private static ReportData read(Json.Obj in) {
    var facts = new ArrayList<Fact>();
    for (Json fact : required(in.list("facts"), "facts")) {
      var object = (Json.Obj) fact;
      facts.add(
          new Fact(required(object.text("name"), "name"), required(object.text("value"), "value")));
    }
    var sections = new ArrayList<ReportSection>();
    for (Json section : required(in.list("sections"), "sections")) {
      sections.add(ReportSection.read((Json.Obj) section));
    }
    return new ReportData(facts, sections);
  }
}

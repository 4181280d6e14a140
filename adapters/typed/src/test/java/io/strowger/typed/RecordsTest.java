package io.strowger.typed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonValue;
import io.strowger.core.client.AnswerType;
import io.strowger.core.client.ChatTool;
import io.strowger.core.client.JsonMismatchException;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Answers and tool arguments as records")
class RecordsTest {
  enum Sky {
    @JsonProperty("clear")
    CLEAR,
    CLOUDY
  }

  @JsonClassDescription("how the wind blows")
  record Wind(
      @JsonPropertyDescription("in km/h") double speed,
      @JsonProperty("from") Optional<String> direction) {
    Wind {
      if (speed < 0) {
        throw new IllegalArgumentException("speed must be at least 0");
      }
    }
  }

  record Weather(
      String city,
      int temperature,
      Sky sky,
      List<Wind> winds,
      @Nullable String note,
      OptionalInt rain,
      Optional<Wind> gust,
      @JsonIgnore @Nullable String hidden) {}

  record Times(Instant at, LocalDate day, LocalDateTime local, Duration lasts) {}

  record Tree(String name, List<Tree> children) {}

  record Totals(Map<String, Integer> byName) {}

  record Query(String city) {}

  record Nothing() {}

  private static final AnswerType<Weather> WEATHER = Records.answer(Weather.class);

  private static Json json(String text) {
    try {
      return new JacksonCodec().parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJsonException e) {
      throw new AssertionError(e);
    }
  }

  private static String weather(String replaced, String replacement) {
    String valid =
        """
        {"city":"Bern","temperature":21,"sky":"clear","winds":[{"speed":3.5,"from":null},\
        {"speed":4,"from":"west"}],"note":null,"rain":7,"gust":null}\
        """;
    assertThat(valid).contains(replaced);
    return valid.replace(replaced, replacement);
  }

  @Test
  @DisplayName("have a schema with closed objects and required members, some of them nullable")
  void schema() {
    assertThat(WEATHER.name()).isEqualTo("Weather");
    assertThat(WEATHER.schema())
        .isEqualTo(
            json(
                """
                {'$defs': {'Wind': {'type':'object','properties':{
                    'speed':{'type':'number','description':'in km/h'},
                    'from':{'type':['string','null']}},
                  'required':['speed','from'],'description':'how the wind blows',
                  'additionalProperties':false}},
                 'type':'object','properties':{
                  'city':{'type':'string'},
                  'temperature':{'type':'integer'},
                  'sky':{'type':'string','enum':['clear','CLOUDY']},
                  'winds':{'type':'array','items':{'$ref':'#/$defs/Wind'}},
                  'note':{'type':['string','null']},
                  'rain':{'type':['integer','null']},
                  'gust':{'anyOf':[{'type':'null'},{'$ref':'#/$defs/Wind'}]}},
                 'required':['city','temperature','sky','winds','note','rain','gust'],
                 'additionalProperties':false}
                """));
  }

  @Test
  @DisplayName("have instants, dates and durations as text, and local times with a description")
  void times() throws Exception {
    AnswerType<Times> type = Records.answer(Times.class);
    assertThat(type.schema().object("properties"))
        .isEqualTo(
            json(
                """
                {'at':{'type':'string','format':'date-time'},
                 'day':{'type':'string','format':'date'},
                 'local':{'type':'string',
                   'description':'a date and time without offset, such as 2026-01-31T13:30:00'},
                 'lasts':{'type':'string','format':'duration'}}
                """));
    Times read =
        type.read(
            """
            {"at":"2026-01-31T13:30:00Z","day":"2026-01-31","local":"2026-01-31T13:30:00",\
            "lasts":"PT5M"}\
            """);
    assertThat(read)
        .isEqualTo(
            new Times(
                Instant.parse("2026-01-31T13:30:00Z"),
                LocalDate.parse("2026-01-31"),
                LocalDateTime.parse("2026-01-31T13:30:00"),
                Duration.ofMinutes(5)));
  }

  @Test
  @DisplayName("may be recursive")
  void recursive() throws Exception {
    AnswerType<Tree> type = Records.answer(Tree.class);
    assertThat(type.schema().toBytes()).asString().contains("\"$ref\":\"#");
    assertThat(
            type.read("{\"name\":\"a\",\"children\":[{\"name\":\"b\",\"children\":[]}]}")
                .children())
        .containsExactly(new Tree("b", List.of()));
  }

  @Test
  @DisplayName("are read with null or missing members if those are nullable")
  void reads() throws Exception {
    Weather read = WEATHER.read(weather("\"note\":null,", ""));
    assertThat(read)
        .isEqualTo(
            new Weather(
                "Bern",
                21,
                Sky.CLEAR,
                List.of(new Wind(3.5, Optional.empty()), new Wind(4, Optional.of("west"))),
                null,
                OptionalInt.of(7),
                Optional.empty(),
                null));
    assertThat(WEATHER.read(weather(",\"rain\":7,\"gust\":null", "")).rain()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"city\":\"Bern\",          |                       | /city: is required",
        "\"city\":\"Bern\"           | \"city\":null         | /city: must not be null",
        "\"city\":\"Bern\"           | \"city\":5            | /city: must be text",
        "\"temperature\":21          | \"temperature\":\"21\"| /temperature: must be a number of",
        "\"temperature\":21          | \"temperature\":2.5   | /temperature: must be a number of",
        "\"temperature\":21          | \"temperature\":null  | /temperature: must not be null",
        "\"temperature\":21          | \"temperature\":99999999999 | /temperature:",
        "\"sky\":\"clear\"           | \"sky\":\"CLEAR\"     | /sky: must be one of [clear,"
            + " CLOUDY]",
        "\"sky\":\"clear\"           | \"sky\":0             | /sky: must be one of [clear,"
            + " CLOUDY]",
        "\"speed\":4                 | \"speed\":true        | /winds/1/speed: must be a number of",
        "\"speed\":4                 | \"speed\":-4          | /winds/1: does not fit: speed must"
            + " be",
        "{\"speed\":4,\"from\":\"west\"} | null              | /winds/1: must not be null",
        "\"gust\":null               | \"gust\":[]           | /gust: must be an object",
        "\"gust\":null               | \"gust\":{\"from\":null} | /gust/speed: is required",
        "\"gust\":null               | \"hidden\":\"h\"      | /hidden:",
        "\"gust\":null               | \"more\":1            | /more: is not a member here",
        "\"rain\":7                  | \"rain\":\"much\"     | /rain: must be",
        "\"gust\":null}              | \"gust\":null         | must be one complete",
        "\"gust\":null}              | \"gust\":null} yes    | must be one complete",
        "\"gust\":null               | \"gust\":null,\"city\":\"X\" | must be one complete",
      })
  @DisplayName("are refused if a member does not fit, with its path and what is expected")
  void mismatches(String replaced, @Nullable String replacement, String problem) {
    assertThatThrownBy(
            () -> WEATHER.read(weather(replaced, replacement == null ? "" : replacement)))
        .isInstanceOf(JsonMismatchException.class)
        .hasMessageStartingWith(problem);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "no", "[]", "5", "null", "\"text\"", "```json\n{}\n```"})
  @DisplayName("are refused for anything but one JSON object, never with an exception of Jackson")
  void notObjects(String json) {
    JsonMismatchException mismatch =
        catchThrowableOfType(JsonMismatchException.class, () -> WEATHER.read(json));
    assertThat(mismatch.problems()).hasSize(1);
    assertThat(mismatch.problems().getFirst().pointer().toString()).isEmpty();
  }

  record Bytes(byte[] all) {}

  record Anything(List<Anyone> all) {}

  record Anyone(Object any) {}

  record Letter(char of) {}

  record InList(List<Optional<String>> all) {}

  enum Numbered {
    ONE;

    @JsonValue
    int number() {
      return 1;
    }
  }

  record WithNumbered(Numbered number) {}

  @Test
  @DisplayName("are refused for a type without a schema, with its component and what to do")
  void refused() {
    refused(String.class, "String is no record; wrap it in one");
    refused(Sky.class, "Sky is no record");
    refused(Bytes.class, "Bytes.all is bytes; use text");
    refused(Anything.class, "Anything.all[].any is java.lang.Object; use a record");
    refused(Letter.class, "Letter.of is char");
    refused(InList.class, "InList.all[] is an Optional inside another type");
    refused(Totals.class, "Totals.byName is a map", "use a list of records with a name");
    refused(WithNumbered.class, "let its @JsonValue return text");
    assertThatThrownBy(() -> Records.tool("t", "T.", Bytes.class, q -> ""))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static void refused(Class<?> type, String... messages) {
    assertThatThrownBy(() -> Records.answer(type))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(messages);
  }

  @Test
  @DisplayName("are arguments of tools, also with maps or without members")
  void tools() throws Exception {
    ChatTool total =
        Records.tool(
            "total",
            "Adds up.",
            Totals.class,
            q -> q.byName().values().stream().reduce(0, Integer::sum));
    assertThat(total.name()).isEqualTo("total");
    assertThat(total.description()).isEqualTo("Adds up.");
    assertThat(total.parameters())
        .isEqualTo(
            json(
                """
                {'type':'object','properties':{'byName':{'type':'object',
                  'additionalProperties':{'type':'integer'}}},
                 'required':['byName'],'additionalProperties':false}
                """));
    assertThat(total.run("{\"byName\":{\"a\":1,\"b\":2}}")).isEqualTo("3");
    ChatTool nothing = Records.tool("now", "Tells.", Nothing.class, q -> null);
    assertThat(nothing.parameters())
        .isEqualTo(
            json("{'type':'object','additionalProperties':false,'properties':{},'required':[]}"));
    assertThat(nothing.run("{}")).isEqualTo("null");
  }

  @Test
  @DisplayName("of a tool are matched by results: text unchanged, other values as JSON")
  void results() throws Exception {
    ChatTool text = Records.tool("weather", "Tells.", Query.class, q -> "sunny in " + q.city());
    assertThat(text.run("{\"city\":\"Bern\"}")).isEqualTo("sunny in Bern");
    ChatTool record =
        Records.tool(
            "weather",
            "Tells.",
            Query.class,
            q -> new Times(Instant.EPOCH, LocalDate.EPOCH, LocalDateTime.MIN, Duration.ZERO));
    assertThat(record.run("{\"city\":\"Bern\"}"))
        .contains("\"at\":\"1970-01-01T00:00:00Z\"", "\"lasts\":\"PT0S\"");
    assertThatThrownBy(() -> text.run("{\"city\":1}"))
        .isInstanceOf(JsonMismatchException.class)
        .hasMessage("/city: must be text");
    ChatTool failing =
        Records.tool(
            "weather",
            "Tells.",
            Query.class,
            q -> {
              throw new IOException("gone");
            });
    assertThatThrownBy(() -> failing.run("{\"city\":\"Bern\"}")).isInstanceOf(IOException.class);
  }

  @Test
  @DisplayName("have names that are valid for a schema")
  void names() {
    record Large$size(Set<String> all) {}
    assertThat(Records.answer(Large$size.class).name()).isEqualTo("Large_size");
  }
}

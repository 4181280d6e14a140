package io.strowger.plugins.jsonschema;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.SchemaValidator.Verdict;
import io.strowger.spi.provider.JsonCodec;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A check against a JSON Schema")
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class JsonSchemaValidatorTest {
  /** Parses JSON that is written with single quotes. */
  private static Json json(String text) {
    try {
      return new JacksonCodec().parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    } catch (JsonCodec.MalformedJsonException wrong) {
      throw new AssertionError(text, wrong);
    }
  }

  private static Verdict check(String schema, String value) {
    return new JsonSchemaValidator().check((Json.Obj) json(schema), json(value));
  }

  private static List<Problem> problems(String schema, String value) {
    return ((Verdict.Invalid) check(schema, value)).problems();
  }

  @Test
  @DisplayName("reports all problems at once, each with its pointer")
  void all() {
    String schema =
        "{'type':'object','properties':{'city':{'type':'string','enum':['Rome']},"
            + "'days':{'type':'array','items':{'type':'integer','minimum':1}}},"
            + "'required':['city','unit'],'additionalProperties':false}";
    List<Problem> problems = problems(schema, "{'city':7,'days':[1,0,'x'],'a/b':1}");
    assertThat(problems)
        .extracting(problem -> problem.pointer().toString())
        .contains("", "/city", "/days/1", "/days/2", "/a~1b");
    assertThat(problems).anyMatch(problem -> problem.toString().contains("unit"));
    assertThat(check(schema, "{'city':'Rome','unit':1}"))
        .isInstanceOf(Verdict.Invalid.class); // unit is required and not among the properties
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'type':'integer'} | 3.0",
        "{'const':1} | 1.00",
        "{'enum':[{'a':[1]}]} | {'a':[1e0]}",
        "{'pattern':'^a+$'} | 'aaa'",
        "{'patternProperties':{'^x-':{'type':'string'}},'additionalProperties':false} |"
            + " {'x-a':'b'}",
        "{'$ref':'#/$defs/n','$defs':{'n':{'type':'null'}}} | null",
        "{'$id':'https://a.example/s','$ref':'#/$defs/n','$defs':{'n':{'minimum':2}}} | 2",
        "{'type':'object','properties':{'child':{'$ref':'#'}}} | {'child':{'child':{}}}",
        "{'$schema':'http://json-schema.org/draft-07/schema#','items':[{'type':'string'}]} |"
            + " ['a',1]",
        "{'$schema':'http://127.0.0.1/draft','type':'array'} | []",
        "{} | [1,{}]",
        "{'unknown':7,'format':'email'} | 'no mail'",
        "{'anyOf':[{'type':'string'},{'minimum':5}]} | 7",
        "{'uniqueItems':true} | [1,2,'1']",
        "{'multipleOf':0.1} | 0.3",
        "{'type':'any'} | 1",
        "{'type':['date','string']} | 1",
        "{'type':[7,{}]} | {}",
      })
  @DisplayName("accepts a value that matches")
  void fits(String schema, String value) {
    assertThat(check(schema, value)).isEqualTo(new Verdict.Valid());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'type':'integer'} | 3.5",
        "{'const':1} | 2",
        "{'pattern':'^a+$'} | 'aab'",
        "{'patternProperties':{'^x-':{'type':'string'}}} | {'x-a':1}",
        "{'additionalProperties':false} | {'x':1}",
        "{'$ref':'#/$defs/n','$defs':{'n':{'type':'null'}}} | 0",
        "{'type':'object','properties':{'child':{'$ref':'#'}}} | {'child':{'child':1}}",
        "{'oneOf':[{'type':'object'},{'required':[]}]} | {}",
        "{'uniqueItems':true} | [1,1.0]",
        "{'maxLength':2} | 'abc'",
        "{'if':{'type':'string'},'then':{'minLength':1}} | ''",
        "{'not':{}} | 1",
      })
  @DisplayName("reports a value that does not match")
  void misfits(String schema, String value) {
    assertThat(problems(schema, value)).isNotEmpty();
  }

  @Test
  @DisplayName("gives up on a schema that applies a long list of names many times")
  void listsOfNames() {
    String names =
        IntStream.range(0, 20_000).mapToObj(i -> "'n" + i + "'").collect(Collectors.joining(","));
    String again = String.join(",", Collections.nCopies(2_000, "{'$ref':'#/$defs/x'}"));
    for (String keyword : List.of("dependentRequired", "dependencies")) {
      String schema =
          "{'$defs':{'x':{'" + keyword + "':{'a':[" + names + "]}}},'anyOf':[" + again + "]}";
      assertThat(check(schema, "{'a':1}")).as(keyword).isInstanceOf(Verdict.UnusableSchema.class);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'$ref':'#'}",
        "{'allOf':[{'$ref':'#'}]}",
        "{'$ref':'http://127.0.0.1/x'}",
        "{'$ref':'file:///etc/passwd'}",
        "{'$ref':'#/nowhere'}",
        "{'pattern':'(a+)+\\\\1$'}",
        "{'pattern':'(?=a)b'}",
        "{'pattern':'('}",
        "{'patternProperties':{'(?!x)':true}}",
        "{'pattern':'(((a{1000}){1000}){1000}){1000}'}",
        "{'patternProperties':{'((x{0,1000}){2,}){99}':true}}",
        "{'minimum':1e999999999}",
        "{'multipleOf':1e99999999999}",
      })
  @DisplayName("reports a schema as unusable rather than fetch another one or run without end")
  void unusable(String schema) {
    assertThat(check(schema, "{'a':1}")).isInstanceOf(Verdict.UnusableSchema.class);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "type",
        "properties",
        "required",
        "items",
        "prefixItems",
        "additionalProperties",
        "patternProperties",
        "pattern",
        "enum",
        "const",
        "minLength",
        "maximum",
        "exclusiveMinimum",
        "multipleOf",
        "maxItems",
        "uniqueItems",
        "contains",
        "minContains",
        "minProperties",
        "propertyNames",
        "dependencies",
        "dependentRequired",
        "if",
        "then",
        "allOf",
        "oneOf",
        "not",
        "$ref",
        "$dynamicRef",
        "$anchor",
        "$id",
        "$schema",
        "$defs",
        "unevaluatedItems",
        "unevaluatedProperties",
        "$vocabulary",
      })
  @DisplayName("does not throw if the value of a keyword has the wrong type")
  void malformed(String keyword) {
    for (String draft : List.of("", "'$schema':'http://json-schema.org/draft-04/schema#',")) {
      if (!draft.isEmpty() && keyword.equals("$schema")) {
        continue;
      }
      for (String value :
          "5 -1.5 'x' [] {} null true [1] ['a'] [{}] {'a':5} {'a':[1]}".split(" ")) {
        for (String judged : List.of("{'a':1,'b':[1,2]}", "[1,{'a':2}]", "'text'", "3", "null")) {
          String schema = "{" + draft + "'" + keyword + "':" + value + "}";
          assertThat(check(schema, judged)).as(schema).isNotNull();
        }
      }
    }
  }

  @Test
  @DisplayName("takes little time for a pattern on which backtracking would take years")
  void linear() {
    assertThat(problems("{'pattern':'^(a|a)*(a|aa)+$'}", "'" + "a".repeat(50_000) + "!'"))
        .hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$ |"
            + " 123e4567-e89b-12d3-a456-426614174000",
        "^([0-9]{1,3}\\\\.){3}[0-9]{1,3}$ | 192.0.2.1",
        "^[A-Z]{2}[0-9]{2}([A-Z0-9]{4}){3,7}[A-Z0-9]{1,3}$ | DE89370400440532013000",
      })
  @DisplayName("supports common patterns with repetition counts")
  void counted(String pattern, String text) {
    String schema = "{'pattern':'" + pattern + "'}";
    assertThat(check(schema, "'" + text + "'")).isEqualTo(new Verdict.Valid());
    assertThat(problems(schema, "'x" + text + "'")).hasSize(1);
  }

  @Test
  @DisplayName(
      "reports a problem for a value, and an unusable schema, whose pointers would fill the memory")
  void longPaths() {
    Json inner = json("[" + "1,".repeat(50_000) + "1]");
    for (int i = 0; i < 100; i++) {
      inner = Json.object().put("n".repeat(1_000), inner).build();
    }
    Json.Obj schema =
        (Json.Obj) json("{'additionalProperties':{'$ref':'#'},'items':{'type':'integer'}}");
    assertThat(new JsonSchemaValidator().check(schema, inner)).isInstanceOf(Verdict.Invalid.class);
    assertThat(new JsonSchemaValidator().check((Json.Obj) inner, Json.Obj.EMPTY))
        .isInstanceOf(Verdict.UnusableSchema.class);
  }

  @Test
  @DisplayName("gives up on a schema that doubles its work with each level")
  void doubling() {
    var defs = new StringBuilder("{'$ref':'#/$defs/l0','$defs':{");
    for (int i = 0; i < 60; i++) {
      String next = "{'$ref':'#/$defs/l" + (i + 1) + "'}";
      defs.append("'l%d':{'allOf':[%s,%s]},".formatted(i, next, next));
    }
    Verdict verdict = check(defs + "'l60':{'type':'object'}}}", "{}");
    assertThat(verdict).isEqualTo(new Verdict.UnusableSchema("takes too long to check"));
  }

  @Test
  @DisplayName("gives up when many short names are matched with many short patterns")
  void namesTimesPatterns() {
    var patterns = Json.object();
    var value = Json.object();
    for (int i = 0; i < 2_000; i++) {
      patterns.put(Character.toString('\u4e00' + i), true);
      value.put("n" + i, 1);
    }
    Json.Obj schema = Json.object().put("patternProperties", patterns.build()).build();
    assertThat(new JsonSchemaValidator().check(schema, value.build()))
        .isEqualTo(new Verdict.UnusableSchema("takes too long to check"));
  }

  @Test
  @DisplayName(
      "gives up on comparing all items of a long list, and on what is too deep or too large")
  void tooMuch() {
    String manyItems = "[" + "{},".repeat(20_000) + "1]";
    assertThat(check("{'uniqueItems':true}", manyItems)).isInstanceOf(Verdict.UnusableSchema.class);
    var schema = Json.object().put("type", "object").build();
    for (int i = 0; i < 200; i++) {
      schema = Json.object().put("not", schema).build();
    }
    assertThat(new JsonSchemaValidator().check(schema, Json.Obj.EMPTY))
        .isInstanceOf(Verdict.UnusableSchema.class);
    String half = "[" + "1,".repeat(60_000) + "1]";
    String large = "[" + half + "," + half + "]";
    assertThat(problems("{'type':'array'}", large)).hasSize(1);
    assertThat(problems("{'type':'number'}", "1e999999999")).hasSize(1);
  }

  @Test
  @DisplayName("reports at most 32 problems, and shows little of the schema in each")
  void bounded() {
    String longText = "x".repeat(5_000);
    List<Problem> problems =
        problems("{'items':{'enum':['" + longText + "']}}", "[" + "1,".repeat(500) + "1]");
    assertThat(problems).hasSize(32);
    assertThat(problems).allMatch(problem -> problem.toString().length() < 500);
  }
}

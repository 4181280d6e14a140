package io.strowger.providers.gemini;

import static io.strowger.providers.gemini.GeminiTestRequest.jsonOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.providers.translate.Losses;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.Loss;
import io.strowger.tck.conformance.Proves;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Case 25: a schema in the gemini dialect")
class GeminiSchemaWriterTest {
  private final List<Loss> losses = new ArrayList<>();

  private String written(String schema) {
    losses.clear();
    return GeminiTestRequest.text(
        new GeminiSchemaWriter(jsonOf(schema), new Losses(losses::add)).write());
  }

  @Proves("translation.case.25")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'type':'string','minLength':1,'pattern':'a','format':'date-time'} | {'type':'STRING','minLength':1,'pattern':'a','format':'date-time'}
          {'type':'string','format':'uuid','$comment':'x'}           | {'type':'STRING'}
          {'$schema':'x','$id':'y','type':'integer','format':'int32'} | {'type':'INTEGER','format':'int32'}
          {'type':'object','additionalProperties':false,'properties':{'a':{'type':'boolean'}}} | {'type':'OBJECT','properties':{'a':{'type':'BOOLEAN'}}}
          {'type':['string','null']}                                 | {'type':'STRING','nullable':true}
          {'type':['string','integer']}                              | {'anyOf':[{'type':'STRING'},{'type':'INTEGER'}]}
          {'type':['string','integer','null'],'description':'d'}     | {'anyOf':[{'type':'STRING','description':'d','nullable':true},{'type':'INTEGER','description':'d','nullable':true}]}
          {'const':'a'}                                              | {'type':'STRING','enum':['a']}
          {'const':5}                                                | {'type':'INTEGER','description':'one of 5'}
          {'enum':['a','b',null]}                                    | {'type':'STRING','enum':['a','b'],'nullable':true}
          {'type':'string','enum':['','a'],'description':'d'}        | {'type':'STRING','description':'d (one of \\'\\', \\'a\\')'}
          {'type':'integer','exclusiveMinimum':0,'exclusiveMaximum':10} | {'type':'INTEGER','minimum':1,'maximum':9}
          {'type':'number','exclusiveMinimum':0.5}                   | {'type':'NUMBER','minimum':0.5,'description':'more than 0.5'}
          {'type':'integer','exclusiveMinimum':true,'minimum':3}     | {'type':'INTEGER','minimum':4}
          {'type':'integer','exclusiveMinimum':3,'minimum':7}        | {'type':'INTEGER','minimum':7}
          {'type':'integer','exclusiveMaximum':true,'maximum':-9223372036854775807} | {'type':'INTEGER','maximum':-9223372036854775808}
          {'anyOf':[{'type':'string'},{'type':'null'}]}              | {'type':'STRING','nullable':true}
          {'description':'d','anyOf':[{'type':'string'},{'type':'number'}]} | {'anyOf':[{'type':'STRING','description':'d'},{'type':'NUMBER','description':'d'}]}
          {'oneOf':[{'type':'string'},{'type':'boolean'}]}           | {'anyOf':[{'type':'STRING'},{'type':'BOOLEAN'}]}
          {'type':'string','anyOf':[{'minLength':2},{'pattern':'x'}]} | {'anyOf':[{'type':'STRING','minLength':2},{'type':'STRING','pattern':'x'}]}
          {'allOf':[{'type':'object','properties':{'a':{'type':'string'}},'required':['a']},{'properties':{'b':{'type':'string'}},'required':['b']}]} | {'type':'OBJECT','properties':{'a':{'type':'STRING'},'b':{'type':'STRING'}},'required':['a','b']}
          {'type':'array','items':{'type':'string'},'minItems':1}    | {'type':'ARRAY','minItems':1,'items':{'type':'STRING'}}
          {'type':'array'}                                           | {'type':'ARRAY','items':{'type':'STRING'}}
          {'type':'array','prefixItems':[{'type':'string'},{'type':'number'}]} | {'type':'ARRAY','items':{'anyOf':[{'type':'STRING'},{'type':'NUMBER'}]}}
          {'properties':{'a':true}}                                  | {'type':'OBJECT','properties':{'a':{'type':'STRING'}}}
          {'type':'object','properties':{'a':{'type':'string'}},'required':['a','gone']} | {'type':'OBJECT','properties':{'a':{'type':'STRING'}},'required':['a']}
          {'type':'null'}                                            | {'type':'NULL'}
          {}                                                         | {'type':'STRING'}
          """)
  @DisplayName("has only keywords of the dialect")
  void table(String given, String expected) {
    assertThat(written(given).replace("\\'", "'")).isEqualTo(expected.replace("\\'", "'"));
  }

  @Proves("translation.case.25")
  @Test
  @DisplayName("keeps property names that are keywords elsewhere")
  void names() {
    assertThat(
            written(
                "{'type':'object','properties':{'$ref':{'type':'string'},'const':{'type':'string'},"
                    + "'additionalProperties':{'type':'object','properties':{'type':{'const':'x'}}},"
                    + "'anyOf':{'type':'integer'}},'required':['$ref','anyOf']}"))
        .isEqualTo(
            "{'type':'OBJECT','properties':{'$ref':{'type':'STRING'},'const':{'type':'STRING'},"
                + "'additionalProperties':{'type':'OBJECT','properties':{'type':{'type':'STRING',"
                + "'enum':['x']}}},'anyOf':{'type':'INTEGER'}},'required':['$ref','anyOf']}");
    assertThat(losses).isEmpty();
  }

  @Proves("translation.case.25")
  @Test
  @DisplayName("has the schema of a reference in its place, with the keywords beside the reference")
  void references() {
    assertThat(
            written(
                "{'type':'object','properties':{'a':{'$ref':'#/$defs/P~1q','description':'mine'},"
                    + "'b':{'$ref':'#/definitions/x%20y'},'c':{'$ref':'other.json'}},"
                    + "'$defs':{'P/q':{'type':'string','description':'its'}},"
                    + "'definitions':{'x y':{'type':'array','items':{'$ref':'#/$defs/P~1q'}}}}"))
        .isEqualTo(
            "{'type':'OBJECT','properties':{'a':{'type':'STRING','description':'mine'},"
                + "'b':{'type':'ARRAY','items':{'type':'STRING','description':'its'}},"
                + "'c':{'type':'OBJECT'}}}");
    assertThat(losses).extracting(Loss::kind).containsExactly(Loss.Kind.CHANGED);
  }

  @Test
  @DisplayName("ends at a reference to itself")
  void recursion() {
    assertThat(
            written(
                "{'$ref':'#/$defs/N','$defs':{'N':{'type':'object','properties':{"
                    + "'next':{'$ref':'#/$defs/N'},'all':{'type':'array','items':{'$ref':'#'}}}}}}"))
        .isEqualTo(
            "{'type':'OBJECT','properties':{'next':{'type':'OBJECT'},"
                + "'all':{'type':'ARRAY','items':{'type':'OBJECT'}}}}");
    assertThat(written("{'$ref':'#'}")).isEqualTo("{'type':'OBJECT'}");
    assertThat(losses).isNotEmpty();
  }

  @Test
  @DisplayName("may include the same referenced schema twice by allOf")
  void sameBaseTwice() {
    assertThat(
            written(
                "{'allOf':[{'$ref':'#/$defs/A'},{'$ref':'#/$defs/B'}],'$defs':{"
                    + "'A':{'allOf':[{'$ref':'#/$defs/C'}]},'B':{'allOf':[{'$ref':'#/$defs/C'}]},"
                    + "'C':{'type':'string'}}}"))
        .isEqualTo("{'type':'STRING'}");
    assertThat(losses).isEmpty();
  }

  @Test
  @DisplayName("is bounded in length, even if its size doubles with every reference")
  void bounded() {
    var defs = new StringBuilder("'d0':{'type':'string'}");
    for (int i = 1; i <= 40; i++) {
      String before = "{'$ref':'#/$defs/d" + (i - 1) + "'}";
      defs.append(
          ",'d" + i + "':{'type':'object','properties':{'l':" + before + ",'r':" + before + "}}");
    }
    String written = written("{'$ref':'#/$defs/d40','$defs':{" + defs + "}}");
    assertThat(written.length()).isBetween(10_000, 400_000);
    assertThat(losses).extracting(Loss::kind).contains(Loss.Kind.CHANGED);
  }

  @Test
  @DisplayName("reports each dropped keyword once")
  void droppedKeywords() {
    written(
        "{'type':'object','additionalProperties':false,'properties':{"
            + "'a':{'type':'object','additionalProperties':false},'b':{'not':{},'type':'string'}}}");
    assertThat(losses)
        .extracting(Loss::reason)
        .containsExactly(
            "this dialect has no keyword additionalProperties", "this dialect has no keyword not");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'exclusiveMinimum':9223372036854775807                 | 'minimum':9223372036854775807,'description':'more than 9223372036854775807'
          'exclusiveMaximum':-9223372036854775808                | 'maximum':-9223372036854775808,'description':'less than -9223372036854775808'
          'minimum':9223372036854775807,'exclusiveMinimum':true  | 'minimum':9223372036854775807,'description':'more than 9223372036854775807'
          'exclusiveMinimum':9223372036854775808                 | 'minimum':9223372036854775808,'description':'more than 9223372036854775808'
          'exclusiveMaximum':0.5                                 | 'maximum':0.5,'description':'less than 0.5'
          """)
  @DisplayName(
      "has an inclusive bound and a note for an exclusive bound without a next integer, and"
          + " reports the change")
  void boundWithoutNeighbor(String bound, String expected) {
    assertThat(written("{'type':'integer'," + bound + "}"))
        .isEqualTo("{'type':'INTEGER'," + expected + "}");
    assertThat(losses)
        .containsExactly(
            new Loss(
                "schema",
                Loss.Kind.CHANGED,
                "an exclusive bound became inclusive, with a note in the description"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          string  | 'minLength':null,'maxLength':null,'pattern':null
          number  | 'minimum':null,'maximum':null,'exclusiveMinimum':null
          integer | 'minimum':null,'maximum':null,'exclusiveMaximum':true
          boolean | 'title':null,'description':null,'default':null
          """)
  @DisplayName("has no keyword whose value is null, and reports no loss of it")
  void nullKeywords(String type, String keywords) {
    assertThat(written("{'type':'" + type + "'," + keywords + "}"))
        .isEqualTo("{'type':'" + type.toUpperCase(Locale.ROOT) + "'}");
    assertThat(losses).isEmpty();
  }

  @Test
  @DisplayName("of arguments with alternatives is one object with the properties of all")
  void arguments() {
    Json.Obj schema =
        jsonOf(
            "{'oneOf':[{'type':'object','properties':{'a':{'type':'string'}},'required':['a']},"
                + "{'type':'object','properties':{'b':{'type':'integer'}}}]}");
    assertThat(
            GeminiTestRequest.text(
                new GeminiSchemaWriter(schema, new Losses(losses::add)).writeArguments()))
        .isEqualTo("{'type':'OBJECT','properties':{'a':{'type':'STRING'},'b':{'type':'INTEGER'}}}");
  }
}

package io.strowger.core.resource;

import static io.strowger.core.resource.ResourceWords.decode;
import static io.strowger.core.resource.ResourceWords.json;
import static io.strowger.core.resource.ResourceWords.problems;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.resource.FilterRules.Operator;
import io.strowger.spi.json.Json;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The filter_rules of a destination")
class FilterRulesDecodingTest {

  private static Json.Obj hook(String rules) {
    return json(
        "{'name':'n','type':'webhook','config':{'url':'https://h/x'},'filter_rules':"
            + rules
            + "}");
  }

  private static List<String> rulesProblems(String rules) {
    return problems(DestinationTable::create, hook(rules));
  }

  private static List<String> ruleProblems(String members) {
    return rulesProblems("{'groups':[{'rules':[{'field':'model'," + members + "}]}]}");
  }

  @Test
  @DisplayName("are enabled, and a group requires all of its rules, unless the body says otherwise")
  void usual() {
    DestinationCreate hook =
        decode(
            DestinationTable::create,
            hook(
                "{'groups':[{'rules':[{'field':'input','operator':'exists'}]},"
                    + "{'logic':'or','rules':[]}]}"));
    assertThat(hook.selection().filterRules())
        .isEqualTo(
            new FilterRules(
                true,
                List.of(
                    new FilterRules.Group(
                        true, List.of(new FilterRules.Rule("input", Operator.EXISTS, null))),
                    new FilterRules.Group(false, List.of()))));
    assertThat(rulesProblems("{'enabled':false,'groups':[]}")).isEmpty();
  }

  @Proves("resources.destination.filter_rules")
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}|/groups: is required",
        "{'groups':{}}|/groups: must be an array, was an object",
        "{'enabled':null,'groups':[]}|/enabled: must be true or false, was null",
        "{'groups':[5]}|/groups/0: must be an object, was 5",
        "{'groups':[{}]}|/groups/0/rules: is required",
        "{'groups':[{'logic':'AND','rules':[]}]}|/groups/0/logic: must be one of and, or, was"
            + " \"AND\"",
        "{'groups':[{'rules':[{'operator':'exists'}]}]}|/groups/0/rules/0/field: is required",
        "{'groups':[{'rules':[{'field':'model'}]}]}|/groups/0/rules/0/operator: is required",
        "{'groups':[{'rules':[{'field':'x','operator':'exists'}]}]}|/groups/0/rules/0/field: must"
            + " be one of model, provider, session_id, user_id, api_key_name, finish_reason,"
            + " input, output, total_cost, total_tokens, prompt_tokens, completion_tokens, was"
            + " \"x\"",
        "{'groups':[{'rules':[{'field':'model','operator':'is'}]}]}|/groups/0/rules/0/operator:"
            + " must be one of equals, not_equals, contains, not_contains, regex, starts_with,"
            + " ends_with, gt, lt, gte, lte, exists, not_exists, was \"is\"",
      })
  @DisplayName("have groups of rules, each with a field and an operator")
  void shape(String rules, String problem) {
    assertThat(rulesProblems(rules)).containsExactly("/filter_rules" + problem);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'operator':'equals','value':'a'", "'operator':'not_equals','value':5",
        "'operator':'contains','value':''", "'operator':'gt','value':-0.5",
        "'operator':'lte','value':'12.5'", "'operator':'not_exists'",
        "'operator':'exists','value':'any'", "'operator':'regex','value':'^a(b|c)+[(?=]$'",
        "'operator':'regex','value':'a\\\\\\\\1'",
      })
  @DisplayName("accept a value that their operator can compare with")
  void values(String members) {
    assertThat(ruleProblems(members)).isEmpty();
  }

  @Proves("resources.destination.filter_rules")
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'operator':'equals'|is required",
        "'operator':'gt'|is required",
        "'operator':'regex'|is required",
        "'operator':'equals','value':null|must be a string or a number, was null",
        "'operator':'exists','value':true|must be a string or a number, was true",
        "'operator':'gt','value':'much'|must be a number, was \"much\"",
        "'operator':'lt','value':''|must be a number, was \"\"",
        "'operator':'regex','value':5|must be a regular expression, was 5",
        "'operator':'regex','value':''|must be a regular expression of 1 to 1000 characters, was"
            + " \"\"",
        "'operator':'regex','value':'a('|must be a regular expression: missing closing ), was"
            + " \"a(\"",
        "'operator':'regex','value':'a(?=b)'|must be a pattern without lookaround, was \"a(?=b)\"",
        "'operator':'regex','value':'a(?<!b)'|must be a pattern without lookaround, was"
            + " \"a(?<!b)\"",
        "'operator':'regex','value':'(a+)+'|must be a pattern without nested quantifiers, was"
            + " \"(a+)+\"",
        "'operator':'regex','value':'a{1001}'|must be a pattern without repetition counts above"
            + " 1000, was \"a{1001}\"",
      })
  @DisplayName("refuse a value that their operator cannot compare with")
  void wrongValues(String members, String problem) {
    assertThat(ruleProblems(members))
        .containsExactly("/filter_rules/groups/0/rules/0/value: " + problem);
  }

  @Test
  @DisplayName("refuse a regular expression that is expensive or too long, and say which it is")
  void expensive() {
    assertThat(ruleProblems("'operator':'regex','value':'(a)\\\\1'"))
        .singleElement()
        .asString()
        .contains("without backreferences");
    assertThat(ruleProblems("'operator':'regex','value':'" + "a".repeat(1000) + "'")).isEmpty();
    assertThat(ruleProblems("'operator':'regex','value':'" + "a".repeat(1001) + "'"))
        .singleElement()
        .asString()
        .contains("must be a regular expression of 1 to 1000 characters");
    assertThat(ruleProblems("'operator':'regex','value':'" + "(".repeat(1000) + "'"))
        .singleElement()
        .asString()
        .contains("with at most 200 nested groups");
  }
}

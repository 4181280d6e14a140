package io.strowger.core.dialect.chat;

import static io.strowger.core.dialect.chat.ChatRequestBodies.chatWith;
import static io.strowger.core.dialect.chat.ChatRequestBodies.problems;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.tck.conformance.Proves;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("response_format")
class ResponseFormatTest {
  @Proves({"chat.response_format", "chat.member.response_format"})
  @ParameterizedTest
  @ValueSource(
      strings = {
        "'response_format':{'type':'text'}",
        "'response_format':{'type':'json_object'}",
        "'response_format':{'type':'python'}",
        "'response_format':{'type':'grammar','grammar':'x'}",
        "'response_format':{'type':'json_schema','json_schema':{'name':'n','strict':null}}",
        "'response_format':{'type':'text','x':1}",
        "'response_format':{'type':'grammar','grammar':''}",
        "'response_format':{'type':'json_schema','json_schema':{'name':'n','description':'',"
            + "'schema':{},'strict':true,'x':1}}",
      })
  @DisplayName("may be")
  void accepted(String member) {
    assertThat(problems(chatWith(member))).isEmpty();
  }

  @Proves({"chat.response_format", "chat.member.response_format", "chat.tool.response_format"})
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'response_format':null | /response_format: must be an object, was null",
        "'response_format':{} | /response_format/type: is required",
        "'response_format':{'type':'x'} | /response_format/type: must be one of text, json_object,"
            + " json_schema, grammar, python, was \"x\"",
        "'response_format':{'type':'json_schema'} | /response_format/json_schema: is required",
        "'response_format':{'type':'json_schema','json_schema':{}} |"
            + " /response_format/json_schema/name: is required",
        "'response_format':{'type':'grammar'} | /response_format/grammar: is required",
      })
  @DisplayName("may not be")
  void refused(String member, String problem) {
    assertThat(problems(chatWith(member))).containsExactly(problem);
  }

  @Proves({"chat.response_format", "chat.tool.response_format"})
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
"""
'response_format':'json_object' | /response_format: must be an object, was "json_object"
'response_format':{'type':null} | /response_format/type: must be one of text, json_object, json_schema, grammar, python, was null
'response_format':{'type':'json_schema','json_schema':[]} | /response_format/json_schema: must be an object, was an array of 0
'response_format':{'type':'json_schema','json_schema':{'name':1}} | /response_format/json_schema/name: must be a string of 1 to 64 characters, was 1
'response_format':{'type':'json_schema','json_schema':{'name':'n','description':null}} | /response_format/json_schema/description: must be a string, was null
'response_format':{'type':'json_schema','json_schema':{'name':'n','schema':null}} | /response_format/json_schema/schema: must be an object, was null
'response_format':{'type':'json_schema','json_schema':{'name':'n','strict':'yes'}} | /response_format/json_schema/strict: must be true or false, was "yes"
'response_format':{'type':'grammar','grammar':null} | /response_format/grammar: must be a string, was null
""")
  @DisplayName("may not be either")
  void also(String member, String problem) {
    assertThat(problems(chatWith(member))).containsExactly(problem);
  }
}

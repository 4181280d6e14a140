package io.strowger.core.dialect.chat;

import static io.strowger.core.dialect.chat.ChatRequestBodies.chatOf;
import static io.strowger.core.dialect.chat.ChatRequestBodies.problems;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.tck.conformance.Proves;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An assistant message")
class AssistantTest {
  private static String assistant(String members) {
    return "{'role':'assistant'," + members + "}";
  }

  @Proves("chat.message.assistant")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "'images':[{'image_url':{'url':'https://u','x':1},'type':'image_url'}]",
        "'audio':{}",
        "'audio':{'id':'a','data':'','expires_at':1700000000,'transcript':'t','x':1}",
        "'annotations':[{'type':'file','file':{}}]",
        "'annotations':null",
        "'function_call':null",
        "'tool_calls':[{'id':'','type':'function','function':{'name':'','arguments':'','x':1},'index':0}]",
      })
  @DisplayName("may have")
  void accepted(String members) {
    assertThat(problems(chatOf(assistant(members)))).isEmpty();
  }

  @Proves("chat.message.assistant")
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
"""
'content':1 | /content: must be a string or an array of content parts, was 1
'name':null | /name: must be a string, was null
'model':null | /model: must be a string, was null
'refusal':1 | /refusal: must be a string, was 1
'tool_calls':null | /tool_calls: must be an array, was null
'tool_calls':[{'id':1,'type':'function','function':{'name':'f','arguments':''}}] | /tool_calls/0/id: must be a string, was 1
'tool_calls':[{'id':'1','type':'function','function':[]}] | /tool_calls/0/function: must be an object, was an array of 0
'tool_calls':[{'id':'1','type':'function','function':{'name':null,'arguments':''}}] | /tool_calls/0/function/name: must be a string, was null
'images':null | /images: must be an array, was null
'images':[{}] | /images/0/image_url: is required
'images':[{'image_url':{}}] | /images/0/image_url/url: is required
'images':[{'image_url':{'url':1}}] | /images/0/image_url/url: must be a string, was 1
'audio':null | /audio: must be an object, was null
'audio':{'id':1} | /audio/id: must be a string, was 1
'audio':{'data':1} | /audio/data: must be a string, was 1
'audio':{'expires_at':1.5} | /audio/expires_at: must be a whole number, was 1.5
'audio':{'transcript':null} | /audio/transcript: must be a string, was null
'reasoning_details':null | /reasoning_details: must be an array, was null
""")
  @DisplayName("may not have")
  void refused(String members, String problem) {
    assertThat(problems(chatOf(assistant(members)))).containsExactly("/messages/0" + problem);
  }

  @Nested
  @DisplayName("in an item of reasoning_details")
  class Details {
    private String detail(String json) {
      return assistant(
          "'content':null,'reasoning_details':[{'type':'reasoning.text'}," + json + "]");
    }

    @Proves("chat.message.reasoning.text")
    @ParameterizedTest
    @ValueSource(
        strings = {
          "{'type':'reasoning.text','text':null,'signature':null,'id':null,'format':null}",
          "{'type':'reasoning.text','text':'','signature':'s','id':'i','index':0,'x':1}",
          "{'type':'reasoning.summary','summary':'','format':'openai-responses-v1'}",
          "{'type':'reasoning.encrypted','data':'d','format':'unknown'}",
          "{'type':'reasoning.server_tool_call','tool_name':'t','arguments':{},'result':null}",
          "{'type':'reasoning.server_tool_call','tool_name':'t','arguments':'','result':'','tool_call_id':'c'}",
        })
    @DisplayName("may have")
    void accepted(String json) {
      assertThat(problems(chatOf(detail(json)))).isEmpty();
    }

    @Proves("chat.message.reasoning.format")
    @ParameterizedTest
    @ValueSource(
        strings = {
          "unknown",
          "openai-responses-v1",
          "azure-openai-responses-v1",
          "bedrock-openai-responses-v1",
          "bedrock-xai-responses-v1",
          "xai-responses-v1",
          "meta-responses-v1",
          "anthropic-claude-v1",
          "google-gemini-v1"
        })
    @DisplayName("may have the format")
    void formats(String format) {
      assertThat(problems(chatOf(detail("{'type':'reasoning.text','format':'" + format + "'}"))))
          .isEmpty();
    }

    @Proves({
      "chat.message.reasoning.text",
      "chat.message.reasoning.summary",
      "chat.message.reasoning.encrypted",
      "chat.message.reasoning.server_tool_call"
    })
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '~',
        textBlock =
"""
1 | : must be an object, was 1
{} | /type: is required
{'type':'reasoning.x'} | /type: must be one of reasoning.text, reasoning.summary, reasoning.encrypted, reasoning.server_tool_call, was "reasoning.x"
{'type':'reasoning.text','text':1} | /text: must be a string, was 1
{'type':'reasoning.text','signature':1} | /signature: must be a string, was 1
{'type':'reasoning.text','id':1} | /id: must be a string, was 1
{'type':'reasoning.text','index':'0'} | /index: must be a whole number, was "0"
{'type':'reasoning.text','index':null} | /index: must be a whole number, was null
{'type':'reasoning.summary'} | /summary: is required
{'type':'reasoning.summary','summary':null} | /summary: must be a string, was null
{'type':'reasoning.encrypted'} | /data: is required
{'type':'reasoning.encrypted','data':1} | /data: must be a string, was 1
{'type':'reasoning.server_tool_call','arguments':1,'result':1} | /tool_name: is required
{'type':'reasoning.server_tool_call','tool_name':'t','result':1} | /arguments: is required
{'type':'reasoning.server_tool_call','tool_name':'t','arguments':1} | /result: is required
{'type':'reasoning.server_tool_call','tool_name':1,'arguments':1,'result':1} | /tool_name: must be a string, was 1
{'type':'reasoning.server_tool_call','tool_name':'t','arguments':1,'result':1,'tool_call_id':null} | /tool_call_id: must be a string, was null
""")
    @DisplayName("may not have")
    void refused(String json, String problem) {
      assertThat(problems(chatOf(detail(json))))
          .containsExactly("/messages/0/reasoning_details/1" + problem);
    }

    @Proves("chat.message.reasoning.format")
    @ParameterizedTest
    @ValueSource(strings = {"'claude'", "'Unknown'", "1"})
    @DisplayName("may not have any other format")
    void otherFormats(String format) {
      assertThat(problems(chatOf(detail("{'type':'reasoning.text','format':" + format + "}"))))
          .singleElement()
          .asString()
          .startsWith("/messages/0/reasoning_details/1/format: must be one of unknown, openai-");
    }
  }
}

package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.strowger.simulated.ReceivedRequest;
import io.strowger.simulated.Script;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that redacted text is never sent, for every dialect of the caller and of the upstream. */
@DisplayName("Text that a filter redacts in a request")
class DialectFilterTest {
  private static final String MAIL = "joe.secret@example.com";
  private static final String CARD = "4111111111111111";

  private final DialectGateway gateway =
      new DialectGateway(
          ",'account':{'guardrails':[{'name':'g','content_filter_builtins':["
              + "{'slug':'email','action':'redact'},{'slug':'credit-card','action':'redact'}]}]}");

  @AfterEach
  void nothingIsLeft() {
    gateway.close();
  }

  record Cell(DialectClient client, DialectUpstream upstream, boolean streaming) {
    @Override
    public String toString() {
      return client + " over " + upstream + (streaming ? ", streamed" : ", whole");
    }
  }

  static List<Cell> cells() {
    var cells = new ArrayList<Cell>();
    for (DialectClient client : DialectClient.values()) {
      for (DialectUpstream upstream : DialectUpstream.values()) {
        cells.add(new Cell(client, upstream, false));
        cells.add(new Cell(client, upstream, true));
      }
    }
    return cells;
  }

  /**
   * Returns a conversation with the mail address, once escaped, and the card number in all texts.
   */
  private static String conversation(DialectClient client) {
    return switch (client) {
      case CHAT ->
          """
          {'model':'acme/MODEL','messages':[
            {'role':'system','content':'Serve MAIL.'},
            {'role':'developer','content':[{'type':'text','text':'Serve MAIL.'}]},
            {'role':'user','name':'MAIL','content':[{'type':'text','text':'I am ESCAPED, CARD.'},
              {'type':'image_url','image_url':{'url':'https://pictures.example/?of=MAIL'}}]},
            {'role':'assistant','content':'Yes, MAIL.','tool_calls':[{'id':'c1','type':'function',
              'function':{'name':'pay','arguments':'{\\'to\\':\\'MAIL\\',\\'MAIL\\':CARD}'}}]},
            {'role':'tool','tool_call_id':'c1','content':'Paid MAIL with CARD.'},
            {'role':'user','content':'Thanks from MAIL.'}],
           'prediction':{'type':'content','content':'Dear MAIL'},
           'tools':[{'type':'function','function':{'name':'pay','parameters':{'type':'object'}}}]}
          """;
      case MESSAGES ->
          """
          {'model':'acme/MODEL','max_tokens':1000,
           'system':[{'type':'text','text':'Serve MAIL.'}],
           'messages':[
            {'role':'user','content':[{'type':'text','text':'I am ESCAPED, CARD.'},
              {'type':'document','title':'Of MAIL','context':'From MAIL',
               'source':{'type':'text','media_type':'text/plain','data':'Dear MAIL, CARD'}}]},
            {'role':'assistant','content':[
              {'type':'thinking','thinking':'It is MAIL.','signature':'c2ln'},
              {'type':'text','text':'Yes, MAIL.'},
              {'type':'tool_use','id':'c1','name':'pay','input':{'to':'MAIL','MAIL':CARD}}]},
            {'role':'user','content':[
              {'type':'tool_result','tool_use_id':'c1','content':[{'type':'text','text':'Paid MAIL.'}]},
              {'type':'text','text':'Thanks from MAIL.'}]}],
           'tools':[{'name':'pay','input_schema':{'type':'object'}}]}
          """;
      case RESPONSES ->
          """
          {'model':'acme/MODEL','instructions':'Serve MAIL.',
           'input':[
            {'type':'message','role':'user','content':[{'type':'input_text','text':'I am ESCAPED, CARD.'}]},
            {'type':'reasoning','id':'rs_1','summary':[{'type':'summary_text','text':'It is MAIL.'}]},
            {'type':'message','role':'assistant','id':'msg_1','status':'completed',
             'content':[{'type':'output_text','text':'Yes, MAIL.','annotations':[]}]},
            {'type':'function_call','call_id':'c1','name':'pay',
             'arguments':'{\\'to\\':\\'MAIL\\',\\'MAIL\\':CARD}'},
            {'type':'function_call_output','call_id':'c1','output':'Paid MAIL with CARD.'},
            {'role':'user','content':'Thanks from MAIL.'}],
           'tools':[{'type':'function','name':'pay','parameters':{'type':'object'}}]}
          """;
    };
  }

  private static ObjectNode request(Cell cell) {
    String body =
        conversation(cell.client)
            .replace("\\'", "\\\"")
            .replace('\'', '"')
            .replace("ESCAPED", MAIL.replace("@", "\\u0040").replace("j", "\\u006a"))
            .replace("MAIL", MAIL)
            .replace("CARD", CARD)
            .replace("MODEL", cell.upstream.slug());
    return ((ObjectNode) DialectClient.parse(body)).put("stream", cell.streaming);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  @DisplayName("is in no byte that the upstream gets, in no record and in no metadata")
  void isNeverSent(Cell cell) {
    gateway.upstream.script("large", Script.builder().text("Done.").build());
    DialectGateway.TestResponse response = gateway.post(cell.client, request(cell));
    assertThat(response.answer()).isNotNull();
    assertThat(gateway.upstream.received()).isNotEmpty();
    for (ReceivedRequest receivedRequest : gateway.upstream.received()) {
      assertThat(receivedRequest.text()).contains("I am [EMAIL], [CREDIT_CARD].");
      assertRedacted(receivedRequest.text());
      assertRedacted(receivedRequest.path() + receivedRequest.headers());
      JsonNode sent = DialectClient.parse(receivedRequest.text());
      assertThat(sent.isObject()).isTrue();
      assertRedacted(sent.toString());
    }
    gateway.records.forEach(record -> assertRedacted(record + " " + record.trace()));
    assertRedacted(String.valueOf(response.answer().get("router_metadata")));
    assertThat(response.body()).contains("content-filter");
  }

  /** Asserts that a text has neither of the two, plain or with escaped characters. */
  private static void assertRedacted(String text) {
    assertThat(text)
        .doesNotContainIgnoringCase("joe.secret")
        .doesNotContainIgnoringCase("oe.secret")
        .doesNotContain(CARD)
        .doesNotContain(CARD.substring(0, 12));
  }
}

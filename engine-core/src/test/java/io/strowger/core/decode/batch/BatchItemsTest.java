package io.strowger.core.decode.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Drawn;
import io.strowger.core.decode.Problems;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The bodies of an accepted batch")
class BatchItemsTest {
  private static final BatchItems ITEMS =
      new BatchItems((entry, at, problems) -> problems.add(at, "is not a plugin here", ""));

  private static BatchCreate batch(BatchEndpoint endpoint, String... bodies) {
    var requests = new StringBuilder();
    for (int i = 0; i < bodies.length; i++) {
      requests.append(i == 0 ? "" : ",");
      requests.append("{'custom_id':'").append(i).append("','body':").append(bodies[i]).append("}");
    }
    var document =
        (Json.Obj)
            Drawn.json(
                "{'endpoint':'%s','model':'a/b','requests':[%s]}"
                    .formatted(endpoint.path(), requests));
    var problems = new Problems();
    return problems.good(new BatchDecoder().decode(document, problems));
  }

  private static List<String> problems(BatchCreate batch) {
    var problems = new Problems();
    ITEMS.check(batch, problems);
    return problems.list().stream().map(Problem::toString).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "CHAT | 'messages':[{'role':'user','content':'hi'}]",
        "MESSAGES | 'max_tokens':5,'messages':[{'role':'user','content':'hi'}]",
        "RESPONSES | 'input':'hi'",
        "EMBEDDINGS | 'input':['hi',' ho']",
      })
  @DisplayName("need no model of their own, and may have the batch's:")
  void good(BatchEndpoint endpoint, String members) {
    assertThat(problems(batch(endpoint, "{" + members + "}"))).isEmpty();
    assertThat(problems(batch(endpoint, "{'model':'a/b'," + members + "}"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "CHAT | {'messages':[{'role':'user','content':'hi'}]}"
            + " | {'messages':[{'role':'user','content':7}],'temperature':3}"
            + " | /messages/0/content, /temperature",
        "MESSAGES | {'max_tokens':5,'messages':[{'role':'user','content':'hi'}]}"
            + " | {'messages':[{'role':'tool','content':'a'}],'speed':'slow'}"
            + " | /messages/0/role, /speed",
        "RESPONSES | {'input':'hi'}"
            + " | {'input':'hi','store':true,'previous_response_id':'r'}"
            + " | /store, /previous_response_id",
        "EMBEDDINGS | {'input':'hi'}"
            + " | {'input':['a',7],'dimensions':0}"
            + " | /input/1, /dimensions",
      })
  @DisplayName("are held to all rules of their endpoint, each at its place in the batch:")
  void wrong(BatchEndpoint endpoint, String good, String bad, String places) {
    var problems = new Problems();
    ITEMS.check(batch(endpoint, good, bad, good), problems);
    assertThat(problems.list())
        .extracting(problem -> problem.at().toString())
        .containsExactlyInAnyOrder(
            List.of(places.split(", ")).stream()
                .map("/requests/1/body"::concat)
                .toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource({"CHAT", "MESSAGES", "RESPONSES"})
  @DisplayName("have plugins judged as elsewhere:")
  void plugins(BatchEndpoint endpoint) {
    String members =
        endpoint == BatchEndpoint.RESPONSES
            ? "'input':'hi'"
            : "'messages':[{'role':'user','content':'hi'}]";
    assertThat(problems(batch(endpoint, "{" + members + ",'plugins':[{'id':'web'}]}")))
        .containsExactly("/requests/0/body/plugins/0: is not a plugin here");
  }

  @Test
  @DisplayName("are all judged, and no more problems kept than asked for")
  void limited() {
    var problems = new Problems(2);
    ITEMS.check(
        batch(BatchEndpoint.EMBEDDINGS, "{'input':[]}", "{'input':[]}", "{'input':[]}"), problems);
    assertThat(problems.found()).isEqualTo(3);
    assertThat(problems.list().get(1).at()).hasToString("/requests/1/body/input");
    assertThat(problems.list().get(2)).hasToString("and 1 more");
  }

  @Test
  @DisplayName("are left as they came")
  void untouched() {
    BatchCreate batch = batch(BatchEndpoint.EMBEDDINGS, "{'input':'a'}");
    ITEMS.check(batch, new Problems());
    assertThat(batch.requests().get(0).body()).isEqualTo(Drawn.json("{'input':'a'}"));
  }
}

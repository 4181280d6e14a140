package io.strowger.core.dialect.responses;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Problems;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The run of a gateway tool that a caller sends back")
class RouterItemsTest {
  private static Message read(String item) throws MalformedJsonException {
    String body = ("{'input':[" + item + "]}").replace('\'', '"');
    var problems = new Problems(3);
    List<Message> messages =
        new ResponsesDecoder((entry, at, wrong) -> {})
            .decode(
                (Json.Obj) new JacksonCodec().parse(body.getBytes(StandardCharsets.UTF_8)),
                problems)
            .messages();
    problems.throwIfAny();
    return messages.get(0);
  }

  @Test
  @DisplayName("is read as a run if the item is complete, and has the item as its source")
  void run() throws MalformedJsonException {
    Message message =
        read(
            "{'type':'router:datetime','id':'st_1','status':'completed','call_id':'c1',"
                + "'arguments':'{}','output':{'now':'noon'}}");
    assertThat(message.role()).isEqualTo(Message.Role.ASSISTANT);
    assertThat(message.parts())
        .singleElement()
        .isEqualTo(
            new Part.ServerToolRun(
                "c1",
                "router:datetime",
                new Arguments.Text(Json.of("{}")),
                Json.object().put("now", "noon").build(),
                message.source()));
    assertThat(message.source()).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'type':'router:datetime'}",
        "{'type':'router:datetime','call_id':'c1','arguments':'{}'}",
        "{'type':'router:datetime','arguments':'{}','output':'x'}",
        "{'type':'router:datetime','call_id':'c1','arguments':{},'output':'x'}",
      })
  @DisplayName("stays an unknown part if a member is missing or wrong")
  void unchanged(String item) throws MalformedJsonException {
    assertThat(read(item).parts()).singleElement().isInstanceOf(Part.Unknown.class);
  }
}

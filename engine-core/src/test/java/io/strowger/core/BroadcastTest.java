package io.strowger.core;

import static io.strowger.core.TestServer.APP;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.TestServer.Answer;
import io.strowger.core.config.SecretKey;
import io.strowger.core.memory.MemoryStores;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.DestinationCounts;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.conformance.Proves;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Finished calls")
class BroadcastTest {
  private static final String PATH = "/observability/destinations";
  private static final String THREAD = "destination-delivery";

  private final TestAmbient ambient = TestAmbient.at(TestServer.NOW);
  private TestServer server =
      new TestServer("", new MemoryStores(), ambient, () -> SecretKey.of(new byte[32]));

  @AfterEach
  void noThreads() {
    server.close();
    ambient.assertNoThreadsLeft();
  }

  /** Creates a webhook destination with more members and returns its id. */
  private String createWebhook(String members) {
    Answer created =
        server.manage(
            "POST",
            PATH,
            "{'name':'h','type':'webhook','config':{'url':'http://hook.test'}" + members + "}");
    assertThat(created.message()).isEmpty();
    return created.text("id");
  }

  private String ask(String members) {
    Answer answer = server.ask(APP, "acme/small", members);
    assertThat(answer.message()).isEmpty();
    return Objects.requireNonNull(answer.body().text("id"));
  }

  private DestinationCounts counts() {
    return server.gateway.destinations().getFirst();
  }

  @Proves({"chat.trace", "resources.destination.trace"})
  @Test
  @DisplayName("are sent to a destination with every member of the payload in the contract")
  void sent() throws InterruptedException {
    createWebhook("");
    String id =
        ask(
            ",'user':'u-1','session_id':'s-1','trace':{'trace_id':'0af7651916cd43dd8448eb211c80319c',"
                + "'trace_name':'job','generation_name':'step','parent_span_id':'00f067aa0ba902b7',"
                + "'team':'red','n':5}");
    Json.Obj body = server.destinations.nextBody();
    assertThat(body)
        .isEqualTo(
            TestServer.json(
                """
                {'id':'%s','trace_id':'0af7651916cd43dd8448eb211c80319c',
                 'parent':'00f067aa0ba902b7','name':'step','trace_name':'job',
                 'metadata':{'team':'red','n':5},'model':'acme/small','provider':'beta',
                 'finish_reason':'stop','error':null,'prompt_tokens':10,'completion_tokens':1,
                 'cost':null,'user':'u-1','session':'s-1','key_name':null,'title':null,
                 'input':[{'role':'user','content':'hi'}],
                 'output':[{'index':0,'finish_reason':'stop',
                            'message':{'role':'assistant','content':'y'}}]}\
                """
                    .formatted(id)));
  }

  @Proves("resources.destination.trace")
  @Test
  @DisplayName("are named after the model and get a new trace id if the request gives neither")
  void unnamed() throws InterruptedException {
    createWebhook("");
    ask("");
    Json.Obj body = server.destinations.nextBody();
    assertThat(body.text("name")).isEqualTo("acme/small");
    assertThat(body.text("trace_id")).matches("[0-9a-f]{32}");
    assertThat(body.get("parent")).isEqualTo(Json.NULL);
  }

  @Proves("resources.destination.trace")
  @Test
  @DisplayName("have only the first 128 characters of the user")
  void longUser() throws InterruptedException {
    createWebhook("");
    ask(",'user':'" + "u".repeat(128) + "v'");
    assertThat(server.destinations.nextBody().text("user")).isEqualTo("u".repeat(128));
    ask(",'user':'" + "u".repeat(128) + "'");
    assertThat(server.destinations.nextBody().text("user")).isEqualTo("u".repeat(128));
  }

  @Proves({"destination.privacy_mode", "resources.destination.privacy"})
  @Test
  @DisplayName("are sent without input and output in privacy mode, but with all other members")
  void privacy() throws InterruptedException {
    createWebhook(",'privacy_mode':true,'broadcast_generation_cost':true");
    ask(",'trace':{'team':'red'}");
    Json.Obj body = server.destinations.nextBody();
    assertThat(body.get("input")).isEqualTo(Json.NULL);
    assertThat(body.get("output")).isEqualTo(Json.NULL);
    assertThat(body.get("metadata")).isEqualTo(TestServer.json("{'team':'red'}"));
    assertThat(body.get("cost")).isEqualTo(TestServer.json("{'a':0.0055}").get("a"));
    assertThat(body.get("prompt_tokens")).isEqualTo(Json.of(10));
  }

  @Proves({
    "destination.broadcast_generation_identity",
    "destination.broadcast_generation_request_context"
  })
  @Test
  @DisplayName(
      "have the name of the key and the request's title only if the destination wants them")
  void switches() throws InterruptedException {
    server.headers.put("X-Title", "Shop");
    String neither = createWebhook("");
    ask("");
    Json.Obj body = server.destinations.nextBody();
    assertThat(body.get("title")).isEqualTo(Json.NULL);
    assertThat(body.get("key_name")).isEqualTo(Json.NULL);
    server.manage("DELETE", PATH + "/" + neither, "");
    String both =
        createWebhook(
            ",'broadcast_generation_identity':true,'broadcast_generation_request_context':true");
    ask("");
    body = server.destinations.nextBody();
    assertThat(body.text("title")).isEqualTo("Shop");
    assertThat(body.text("key_name")).isEqualTo("app");
    assertThat(body.get("cost")).isEqualTo(Json.NULL);
    server.manage("PATCH", PATH + "/" + both, "{'broadcast_generation_identity':false}");
    ask("");
    body = server.destinations.nextBody();
    assertThat(body.text("title")).isEqualTo("Shop");
    assertThat(body.get("key_name")).isEqualTo(Json.NULL);
  }

  @Proves("resources.destination.trace")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'type':'image_url','image_url':{'url':'data:image/png;base64,AAAA'}}",
        "{'type':'input_audio','input_audio':{'data':'AAAA','format':'wav'}}",
        "{'type':'video_url','video_url':{'url':'data:video/mp4;base64,AAAA'}}",
        "{'type':'file','file':{'filename':'a.pdf','file_data':'data:application/pdf;base64,AAAA'}}"
      })
  @DisplayName("are sent without images, audio, videos and documents")
  void stripped(String part) throws InterruptedException {
    createWebhook("");
    server.send(
        APP,
        "POST",
        "/chat/completions",
        "{'model':'acme/small','max_tokens':16,'messages':[{'role':'user','content':["
            + "{'type':'text','text':'look'},"
            + part
            + "]}]}");
    String body = server.destinations.nextBody().toString();
    assertThat(body).contains("look").doesNotContain("AAAA");
  }

  @Proves("resources.destination.trace")
  @Test
  @DisplayName("are sent without the images in tool results")
  void strippedResults() throws InterruptedException {
    createWebhook("");
    server.send(
        APP,
        "POST",
        "/messages",
        "{'model':'acme/small','max_tokens':16,"
            + "'tools':[{'name':'see','input_schema':{'type':'object'}}],'messages':["
            + "{'role':'user','content':'look'},"
            + "{'role':'assistant','content':[{'type':'tool_use','id':'t1','name':'see','input':{}}]},"
            + "{'role':'user','content':[{'type':'tool_result','tool_use_id':'t1','content':[{'type':'text','text':'a"
            + " tree'},{'type':'image','source':{'type':'base64',"
            + "'media_type':'image/png','data':'AAAA'}}]}]}]}");
    String body = server.destinations.nextBody().toString();
    assertThat(body).contains("look", "a tree").doesNotContain("AAAA");
  }

  @Test
  @DisplayName("that failed are sent, too, with the error the caller received")
  void failed() throws InterruptedException {
    createWebhook("");
    server.ask(APP, "acme/none");
    Json.Obj body = server.destinations.nextBody();
    assertThat(body.text("error")).isEqualTo("invalid_request");
    assertThat(body.get("provider")).isEqualTo(Json.NULL);
    assertThat(body.get("output")).isEqualTo(Json.array());
  }

  @Test
  @DisplayName("are sent without the text that a content filter redacts or blocks")
  void contentFilter() throws InterruptedException {
    server.close();
    server =
        new TestServer(
            "'account':{'guardrails':[{'name':'g','content_filter_builtins':["
                + "{'slug':'email','action':'redact'},{'slug':'ssn','action':'block'}]}]}",
            new MemoryStores(),
            ambient,
            () -> SecretKey.of(new byte[32]));
    createWebhook("");
    assertThat(askWithPrompt("I am a@b.co").status()).isEqualTo(200);
    assertThat(server.destinations.nextBody().toString()).contains("[EMAIL]").doesNotContain("a@b");
    assertThat(askWithPrompt("123-45-6789").status()).isEqualTo(403);
    Json.Obj blocked = server.destinations.nextBody();
    assertThat(blocked.text("error")).isEqualTo("permission_denied");
    assertThat(blocked.get("input")).isEqualTo(Json.array());
  }

  private Answer askWithPrompt(String text) {
    return server.send(
        APP,
        "POST",
        "/chat/completions",
        "{'model':'acme/small','max_tokens':16,'messages':[{'role':'user','content':'%s'}]}"
            .formatted(text));
  }

  @Proves("destination.filter_rules")
  @Test
  @DisplayName("are sent if the filter rules match, which also see members that are not sent")
  void filtered() throws InterruptedException {
    createWebhook(
        ",'privacy_mode':true,'filter_rules':{'groups':[{'rules':[{'field':'input','operator':"
            + "'contains','value':'hi'},{'field':'api_key_name','operator':'equals','value':'app'},"
            + "{'field':'user_id','operator':'equals','value':'u'}]}]}");
    ask("");
    ask(",'user':'u'");
    assertThat(server.destinations.nextBody().text("user")).isEqualTo("u");
    assertThat(server.destinations.nextBody(0)).isNull();
  }

  @Proves({"destination.sampling_rate", "resources.destination.sampling"})
  @Test
  @DisplayName("are sampled by session: all calls of a session are sent or none")
  void sampled() throws InterruptedException {
    createWebhook(",'sampling_rate':0.5");
    int sampledSessions = 0;
    for (int i = 0; i < 40; i++) {
      ask(",'session_id':'s" + i + "'");
      ask(",'session_id':'s" + i + "'");
      awaitDelivered();
      int sent = server.destinations.remainingRequests().size();
      assertThat(sent).isIn(0, 2);
      sampledSessions += sent / 2;
    }
    assertThat(sampledSessions).isBetween(8, 32);
  }

  @Test
  @DisplayName("are sent to each destination that wants them, with the members it wants")
  void several() throws InterruptedException {
    String otherKey = ",'api_key_hashes':['" + "0".repeat(64) + "']";
    for (String members : List.of(otherKey, "", otherKey, ",'privacy_mode':true", "")) {
      createWebhook(members);
    }
    ask("");
    int withInput = 0;
    for (int i = 0; i < 3; i++) {
      withInput += server.destinations.nextBody().get("input") instanceof Json.Arr ? 1 : 0;
    }
    awaitDelivered();
    assertThat(withInput).isEqualTo(2);
    assertThat(server.destinations.remainingRequests()).isEmpty();
  }

  /** Waits until no destination has calls in its queue. */
  private void awaitDelivered() {
    while (server.gateway.destinations().stream().anyMatch(counts -> counts.queued() > 0)) {
      Thread.onSpinWait();
    }
  }

  @Proves("destination.api_key_hashes")
  @Test
  @DisplayName("are sent only for the keys that the destination lists")
  void keys() {
    Json.Obj created = server.manage("POST", "/keys", "{'name':'k'}").body();
    Json.Obj data = Objects.requireNonNull(created.object("data"));
    createWebhook(",'api_key_hashes':['" + data.text("hash") + "']");
    ask("");
    awaitDelivered();
    assertThat(server.destinations.remainingRequests()).isEmpty();
    assertThat(server.ask(Objects.requireNonNull(created.text("key")), "acme/small").status())
        .isEqualTo(200);
    awaitDelivered();
    assertThat(server.destinations.remainingRequests()).hasSize(1);
  }

  @Test
  @DisplayName("are sent to no destination of another workspace, nor if their workspace forbids it")
  void workspaces() {
    String other = server.manage("POST", "/workspaces", "{'name':'W','slug':'w'}").text("id");
    createWebhook(",'workspace_id':'" + other + "'");
    ask("");
    Json.Obj created =
        server.manage("POST", "/keys", "{'name':'k','workspace_id':'" + other + "'}").body();
    String key = Objects.requireNonNull(created.text("key"));
    server.ask(key, "acme/small");
    awaitDelivered();
    assertThat(server.destinations.remainingRequests()).hasSize(1);
    server.manage("PATCH", "/workspaces/" + other, "{'is_observability_broadcast_enabled':false}");
    server.ask(key, "acme/small");
    awaitDelivered();
    assertThat(server.destinations.remainingRequests()).isEmpty();
    createWebhook("");
    awaitDelivered();
    ask("");
    awaitDelivered();
    assertThat(server.destinations.remainingRequests()).hasSize(1);
  }

  @Proves("destination.enabled")
  @Test
  @DisplayName("are not sent to a destination while it is disabled")
  void disabled() {
    String id = createWebhook("");
    server.manage("PATCH", PATH + "/" + id, "{'enabled':false}");
    ask("");
    server.manage("PATCH", PATH + "/" + id, "{'enabled':true}");
    ask("");
    awaitDelivered();
    assertThat(server.destinations.remainingRequests()).hasSize(1);
    assertThat(counts().delivered()).isEqualTo(1);
  }

  @Test
  @DisplayName("are sent to the destinations of the configuration file, which a reload replaces")
  void file() throws InterruptedException {
    server.close();
    String file =
        "'observability_destinations':[{'id':'d','name':'n','type':'webhook',"
            + "'config':{'url':'http://%s.test'}%s}]";
    server = new TestServer(file.formatted("one", ""), new MemoryStores(), ambient, () -> null);
    ask("");
    assertThat(server.destinations.nextRequest().uri().getHost()).isEqualTo("one.test");
    server.gateway.reload(TestServer.config(file.formatted("two", "")));
    ask("");
    assertThat(server.destinations.nextRequest().uri().getHost()).isEqualTo("two.test");
    awaitDelivered();
    assertThat(counts().delivered()).isEqualTo(2);
    server.gateway.reload(TestServer.config(file.formatted("two", ",'enabled':false")));
    ask("");
    server.gateway.reload(TestServer.config(""));
    ask("");
    assertThat(server.destinations.remainingRequests()).isEmpty();
    assertThat(server.gateway.destinations()).isEmpty();
  }

  @Test
  @DisplayName("are sent again after 429, as its Retry-After says, and after 500, and count once")
  void again() {
    createWebhook("");
    server.destinations.then(429, "Retry-After", "40").then(500).then(0);
    ask("");
    ambient.awaitSleep(THREAD);
    ambient.advance(Duration.ofSeconds(39));
    assertThat(server.destinations.remainingRequests()).hasSize(1);
    ambient.advance(Duration.ofSeconds(1));
    ambient.awaitSleep(THREAD);
    ambient.advance(Duration.ofSeconds(2));
    ambient.awaitSleep(THREAD);
    ambient.advance(Duration.ofSeconds(4));
    awaitDelivered();
    assertThat(server.destinations.remainingRequests()).hasSize(3);
    assertThat(counts())
        .satisfies(
            counts -> {
              assertThat(counts.delivered()).isEqualTo(1);
              assertThat(counts.failures()).isEqualTo(3);
              assertThat(counts.failing()).isFalse();
              assertThat(counts.droppedFailed()).isZero();
            });
  }

  @Test
  @DisplayName("are dropped when the destination refuses, redirects, or asks for too long a wait")
  void dropped() {
    createWebhook("");
    server
        .destinations
        .then(401)
        .then(302, "Location", "http://127.0.0.1/")
        .then(503, "Retry-After", "301");
    for (int i = 0; i < 3; i++) {
      ask("");
      awaitDelivered();
    }
    assertThat(server.destinations.remainingRequests()).hasSize(3);
    assertThat(counts().droppedRefused()).isEqualTo(2);
    assertThat(counts().droppedFailed()).isEqualTo(1);
    assertThat(counts().failing()).isTrue();
  }

  @Test
  @DisplayName("wait as long as the destination asked when it refused an earlier call")
  void leftAlone() {
    createWebhook("");
    server.destinations.then(503, "Retry-After", "1000");
    ask("");
    ambient.awaitSleep(THREAD);
    assertThat(counts().droppedFailed()).isEqualTo(1);
    ask("");
    ambient.advance(Duration.ofSeconds(999));
    ambient.awaitSleep(THREAD);
    assertThat(server.destinations.remainingRequests()).hasSize(1);
    ambient.advance(Duration.ofSeconds(1));
    awaitDelivered();
    assertThat(counts().delivered()).isEqualTo(1);
  }

  @Test
  @DisplayName("are sent again when a request to the destination hangs for a minute")
  void endless() {
    createWebhook("");
    server.destinations.then(-1);
    ask("");
    ambient.awaitSleep("destination-deadline");
    ambient.advance(Duration.ofSeconds(60));
    ambient.awaitSleep(THREAD); // waits before the next attempt
    ambient.advance(Duration.ofSeconds(1));
    awaitDelivered();
    assertThat(counts().delivered()).isEqualTo(1);
    assertThat(counts().failures()).isEqualTo(1);
  }

  @Test
  @DisplayName("are not sent again when the answer has status 200 but its body breaks off")
  void brokenBody() {
    createWebhook("");
    server.destinations.thenBrokenBody(200);
    ask("");
    awaitDelivered();
    assertThat(server.destinations.remainingRequests()).hasSize(1);
    assertThat(counts().delivered()).isEqualTo(1);
    assertThat(counts().failures()).isZero();
  }

  @Test
  @DisplayName("are sent in smaller requests after the destination answered 413")
  void tooLarge() {
    String id = createWebhook("");
    server.manage("PATCH", PATH + "/" + id, "{'config':{'url':'http://batch.test'}}");
    server.destinations.then(-1).then(200).then(413).then(413);
    ask(""); // sent alone; the others wait until it ends
    ambient.awaitSleep("destination-deadline");
    for (int i = 0; i < 8; i++) {
      ask("");
    }
    ambient.advance(Duration.ofSeconds(60));
    ambient.awaitSleep(THREAD);
    ambient.advance(Duration.ofSeconds(1));
    awaitDelivered();
    assertThat(counts().delivered()).isEqualTo(9);
    assertThat(counts().droppedRefused()).isZero();
    assertThat(server.destinations.remainingRequests().size())
        .isBetween(7, 9); // 1 call twice, then 8, 4, and 2 calls or more
  }

  @Test
  @DisplayName("are sent again to the new address when the destination changed meanwhile")
  void changedMeanwhile() throws InterruptedException {
    String id = createWebhook("");
    server.destinations.then(500);
    ask("");
    ambient.awaitSleep(THREAD);
    server.destinations.nextRequest();
    assertThat(
            server
                .manage("PATCH", PATH + "/" + id, "{'config':{'url':'http://other.test'}}")
                .status())
        .isEqualTo(200);
    ambient.advance(Duration.ofSeconds(1));
    assertThat(server.destinations.nextRequest().uri().getHost()).isEqualTo("other.test");
    awaitDelivered();
    assertThat(counts().delivered()).isEqualTo(1);
  }

  @Test
  @DisplayName("are dropped after five minutes of status 500")
  void patience() {
    createWebhook("");
    for (int i = 0; i < 40; i++) {
      server.destinations.then(500);
    }
    ask("");
    while (counts().queued() > 0) {
      if (ambient.sleepers() > 1) { // one sleeper is the thread that polls the store
        ambient.advance(Duration.ofSeconds(30));
      }
      Thread.onSpinWait();
    }
    assertThat(counts().droppedFailed()).isEqualTo(1);
    assertThat(server.destinations.remainingRequests()).hasSizeBetween(3, 20);
  }

  @Proves("resources.destination.sampling")
  @Test
  @DisplayName("are dropped and counted when a destination hangs and its queue is full")
  void hangs() {
    createWebhook("");
    server.destinations.then(-1);
    int calls = 2_100;
    for (int i = 0; i < calls; i++) {
      ask("");
    }
    DestinationCounts counts = counts();
    assertThat(counts.queued()).isEqualTo(2_048);
    assertThat(counts.droppedFull()).isEqualTo(calls - 2_048);
    assertThat(counts.queuedBytes()).isBetween(2_048L * 1_024, 2_048L * 2_048);
    server.close(); // ends the request that hangs, in a bounded time
    assertThat(counts().queued()).isZero();
    assertThat(counts().delivered() + counts().droppedFailed() + counts().droppedFull())
        .isEqualTo(calls);
  }

  @Test
  @DisplayName("that wait are sent when the gateway closes, without a pause between attempts")
  void flushed() {
    createWebhook("");
    server.destinations.then(500);
    ask("");
    ambient.awaitSleep(THREAD);
    ask("");
    server.close();
    assertThat(counts().delivered()).isEqualTo(1);
    assertThat(counts().droppedFailed()).isEqualTo(1);
    assertClosedRefusesAndSendsNothing();
  }

  /** Asserts that the closed gateway refuses a request and queues nothing for the destination. */
  private void assertClosedRefusesAndSendsNothing() {
    assertThat(server.ask(APP, "acme/small").status()).isEqualTo(503);
    assertThat(counts().queued()).isZero();
  }
}

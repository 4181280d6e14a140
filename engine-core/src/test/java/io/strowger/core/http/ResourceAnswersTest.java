package io.strowger.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.Gateway;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.destination.PlainExporters;
import io.strowger.core.destination.ScriptedTransport;
import io.strowger.core.memory.MemoryStores;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.Stores;
import io.strowger.tck.ScriptedProvider;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Replays the recorded requests of {@code resource-answers.txt}. A line there is
 *
 * <ul>
 *   <li>{@code # text}: a comment;
 *   <li>{@code > METHOD path body => name}: a request; the id that it makes is {@code $name} below;
 *   <li>{@code ~ METHOD path body members}: a request for each member, with each of {@link #VALUES}
 *       in the place of the member; what it makes is deleted at once;
 *   <li>{@code = documents kind ...} and {@code = audit}: what is stored;
 *   <li>indented: an answer.
 * </ul>
 *
 * Bodies are written with single quotes. Whoever changes an answer on purpose copies {@code
 * target/resource-answers.txt}, which each run writes.
 */
@DisplayName("Every operation on every resource")
class ResourceAnswersTest {
  private static final String ADMIN = "sk-admin-0123456789";
  private static final Pattern UUID =
      Pattern.compile("(?!00000000)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
  private static final Pattern SEALED = Pattern.compile("\"sealed\":\"[^\"]*\"");
  private static final List<String> VALUES =
      List.of(
          "null",
          "true",
          "7",
          "0.5",
          "-1",
          "1000000000000",
          "''",
          "'x'",
          "'" + "y".repeat(520) + "'",
          "[]",
          "['x']",
          "{}",
          "{'enabled':true}");

  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00.123456Z");
  private final Stores stores = new MemoryStores();
  private final AtomicInteger randomBytes = new AtomicInteger();
  private final Gateway gateway = gateway();
  private final Map<String, String> ids = new LinkedHashMap<>();
  private final List<String> transcript = new ArrayList<>();

  @AfterEach
  void close() {
    gateway.close();
  }

  private Gateway gateway() {
    String config =
        """
        { 'providers': [ { 'slug': 'alpha', 'protocol': 'openai-chat', 'base_url': 'http://a.test' },
                         { 'slug': 'beta', 'protocol': 'openai-chat', 'base_url': 'http://b.test' } ],
          'models': [ { 'id': 'acme/one', 'endpoints': [ { 'provider': 'alpha' } ] },
                      { 'id': 'acme/two-20260101', 'aliases': [ 'acme/two' ],
                        'endpoints': [ { 'provider': 'beta' } ] } ],
          'store': { 'secret_key': '%s' },
          'keys': [ { 'name': 'admin', 'key': '%s', 'management': true } ] }
        """
            .formatted(Base64.getEncoder().encodeToString(new byte[32]), ADMIN);
    return Gateway.builder(
            ConfigReader.standard()
                .read(config.replace('\'', '"').getBytes(StandardCharsets.UTF_8))
                .orThrow())
        .provider(
            new ProviderFactory() {
              @Override
              public String protocol() {
                return "openai-chat";
              }

              @Override
              public ChatProvider create(ProviderSettings settings) {
                return new ScriptedProvider(ambient);
              }
            })
        .destinations(new ScriptedTransport(), List.of(new PlainExporters()))
        .stores(stores)
        .random(
            count -> {
              byte[] bytes = new byte[count];
              Arrays.fill(bytes, (byte) randomBytes.incrementAndGet());
              return bytes;
            })
        .ambient(ambient)
        .build();
  }

  @Test
  @DisplayName("answers and stores byte for byte what was recorded")
  void recorded() throws IOException {
    List<String> recorded;
    try (InputStream in =
        Objects.requireNonNull(
            ResourceAnswersTest.class.getResourceAsStream("resource-answers.txt"))) {
      recorded = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
    for (String line : recorded) {
      if (!line.startsWith(" ")) {
        transcript.add(line);
        replay(line);
      }
    }
    Files.createDirectories(Path.of("target"));
    Files.write(Path.of("target", "resource-answers.txt"), transcript);
    assertThat(transcript).containsExactlyElementsOf(recorded);
  }

  private void replay(String line) {
    if (line.startsWith("> ")) {
      ask(line);
    } else if (line.startsWith("~ ")) {
      askWithEachValue(line.substring(2));
    } else if (line.startsWith("= documents ")) {
      for (String kind : line.substring("= documents ".length()).split(" ")) {
        documents(kind);
      }
    } else if (line.equals("= audit")) {
      audit();
    }
  }

  private void ask(String line) {
    int name = line.indexOf(" => ");
    String[] words = (name < 0 ? line : line.substring(0, name)).substring(2).split(" ", 3);
    WireResponse response = send(words[0], words[1], words.length < 3 ? "" : words[2]);
    String body = TestHttpApi.text(response);
    String id = id(body);
    if (name >= 0 && id != null) {
      ids.put(id, "$" + line.substring(name + 4));
    }
    transcript.add("  " + response.status() + " " + withNames(body));
  }

  private static @Nullable String id(String body) {
    Json.Obj data = TestHttpApi.json(body).object("data");
    return data == null ? null : data.text("hash") == null ? data.text("id") : data.text("hash");
  }

  private void askWithEachValue(String line) {
    String[] words = line.split(" ", 4);
    for (String member : words[3].split(" ")) {
      for (String value : VALUES) {
        Json tried = TestHttpApi.json(("{'v':" + value + "}").replace('\'', '"')).get("v");
        Json.Obj body =
            TestHttpApi.json(withIds(words[2]).replace('\'', '"'))
                .with(member, Objects.requireNonNull(tried));
        WireResponse response = send(words[0], words[1], body.toString());
        String answer = TestHttpApi.text(response);
        String shown;
        if (response.status() >= 300) {
          Json.Obj error = Objects.requireNonNull(TestHttpApi.json(answer).object("error"));
          String message = Objects.requireNonNull(error.text("message"));
          shown = message.replace("Invalid request parameters: ", "");
        } else {
          Json.Obj data = TestHttpApi.json(answer).object("data");
          shown = data == null ? answer : String.valueOf(data.get(member));
          if (words[0].equals("POST") && id(answer) instanceof String id) {
            send("DELETE", words[1] + "/" + id, "");
          }
        }
        String given = value.length() > 40 ? "a long text" : value;
        transcript.add(
            "  " + member + " " + given + ": " + response.status() + " " + withNames(shown));
      }
    }
  }

  private void documents(String kind) {
    DocumentStore.Page page =
        stores
            .documents()
            .list(
                new DocumentStore.Filter(
                    kind, null, true, DocumentStore.Order.OLDEST_FIRST, 0, 1000));
    for (Document document : page.documents()) {
      transcript.add(
          "  "
              + withNames(
                  "%s %s in '%s' version %d%s, %s, %s %s"
                      .formatted(
                          kind,
                          document.id(),
                          document.group(),
                          document.version(),
                          document.hidden() ? ", hidden" : "",
                          document.createdAt(),
                          document.updatedAt(),
                          document.body())));
    }
  }

  /**
   * Adds all entries of the audit log without their actors; those of one moment are sorted by their
   * text.
   */
  private void audit() {
    var entries = new TreeMap<String, List<String>>();
    Json.Arr page;
    int offset = 0;
    do {
      String answer = TestHttpApi.text(send("GET", "/audit-log?limit=100&offset=" + offset, ""));
      page = Objects.requireNonNull(TestHttpApi.json(answer).list("data"));
      for (Json entry : page) {
        Json.Obj body = (Json.Obj) entry;
        entries
            .computeIfAbsent(
                Objects.requireNonNull(body.text("created_at")), at -> new ArrayList<>())
            .add("  " + withNames(body.without("id").without("actor").toString()));
      }
      offset += page.size();
    } while (page.size() == 100);
    for (List<String> ofOneMoment : entries.values()) {
      ofOneMoment.sort(null);
      transcript.addAll(ofOneMoment);
    }
  }

  /**
   * Returns a text in which ids are replaced by their names, and all ids without a name look alike.
   */
  private String withNames(String text) {
    String withNames = text;
    for (Map.Entry<String, String> id : ids.entrySet()) {
      withNames = withNames.replace(id.getKey(), id.getValue());
    }
    withNames = UUID.matcher(withNames).replaceAll("(id)");
    return SEALED.matcher(withNames).replaceAll("\"sealed\":\"(secret)\"");
  }

  /** Returns a text in which the names of ids are replaced by the ids. */
  private String withIds(String text) {
    String withIds = text;
    for (Map.Entry<String, String> id : ids.entrySet()) {
      withIds = withIds.replace(id.getValue() + ";", id.getKey());
    }
    return withIds;
  }

  private WireResponse send(String method, String pathAndQuery, String body) {
    ambient.advance(Duration.ofSeconds(1));
    String path = withIds(pathAndQuery);
    int mark = path.indexOf('?');
    byte[] bytes = withIds(body).replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    return gateway
        .wire()
        .handle(
            new WireRequest(
                method,
                mark < 0 ? path : path.substring(0, mark),
                mark < 0 ? "" : path.substring(mark + 1),
                name -> name.equalsIgnoreCase("Authorization") ? "Bearer " + ADMIN : null,
                new ByteArrayInputStream(bytes),
                new Cancellation()));
  }
}

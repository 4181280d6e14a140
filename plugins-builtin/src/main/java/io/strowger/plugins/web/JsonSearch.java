package io.strowger.plugins.web;

import io.strowger.plugins.webclient.WebClient;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A search service that the configuration describes: its address, and where the results are in its
 * answer. The service receives the query and the number of results. Domain rules are applied
 * afterwards, to the pages the service returned.
 *
 * @param address the address; may contain {@value #QUERY} and {@value #MAX_RESULTS} after its host
 * @param headers the request headers; may hold secrets
 * @param body the body of a POST, or null for a GET; strings in it may contain the same
 *     placeholders, and a string that is just {@value #MAX_RESULTS} becomes a number
 * @param pointers where the results are in an answer, and the members of each
 * @param price the fee of one search
 */
record JsonSearch(
    String address,
    Map<String, String> headers,
    Json.@Nullable Obj body,
    ResultPointers pointers,
    Usd price)
    implements SearchEngine {
  static final String QUERY = "{query}";
  static final String MAX_RESULTS = "{max_results}";

  /**
   * JSON pointers into an answer.
   *
   * @param results the pointer to the list of results, from the root of the answer
   * @param url the pointer to the address, relative to a result, as are {@code title} and {@code
   *     text}
   */
  record ResultPointers(String results, String url, String title, String text) {}

  @Override
  public WebClient.ServiceRequest request(Query query) {
    String encodedQuery =
        URLEncoder.encode(query.text(), StandardCharsets.UTF_8).replace("+", "%20");
    URI uri = URI.create(fillTemplate(address, encodedQuery, query.maxResults()));
    return new WebClient.ServiceRequest(
        uri, headers, body == null ? null : (Json.Obj) fillJson(body, query));
  }

  /** Fills in a template in one pass, so that placeholders in the query itself are not replaced. */
  private static String fillTemplate(String template, String query, int results) {
    var out = new StringBuilder();
    for (int index = 0; index < template.length(); ) {
      if (template.startsWith(QUERY, index)) {
        out.append(query);
        index += QUERY.length();
      } else if (template.startsWith(MAX_RESULTS, index)) {
        out.append(results);
        index += MAX_RESULTS.length();
      } else {
        out.append(template.charAt(index++));
      }
    }
    return out.toString();
  }

  private static Json fillJson(Json template, Query query) {
    return switch (template) {
      case Json.Str text when text.is(MAX_RESULTS) -> Json.of(query.maxResults());
      case Json.Str text -> Json.of(fillTemplate(text.text(), query.text(), query.maxResults()));
      case Json.Arr items -> {
        var filled = new ArrayList<Json>();
        for (int i = 0; i < items.size(); i++) {
          filled.add(fillJson(items.get(i), query));
        }
        yield Json.array(filled);
      }
      case Json.Obj object -> {
        var filled = Json.object();
        for (int i = 0; i < object.size(); i++) {
          filled.put(object.name(i), fillJson(object.value(i), query));
        }
        yield filled.build();
      }
      case Json.Num number -> number;
      case Json.Bool bool -> bool;
      case Json.Null jsonNull -> jsonNull;
    };
  }

  @Override
  public @Nullable List<Page> pages(Json answer) {
    if (!(resolve(pointers.results(), answer) instanceof Json.Arr results)) {
      return null;
    }
    var pages = new ArrayList<Page>();
    for (int i = 0; i < results.size() && pages.size() < WebSearch.MAX_RESULTS; i++) {
      Json result = results.get(i);
      pages.add(
          new Page(
              text(pointers.url(), result),
              text(pointers.title(), result),
              text(pointers.text(), result)));
    }
    return pages;
  }

  private static String text(String pointer, Json result) {
    return resolve(pointer, result) instanceof Json.Str text ? text.text() : "";
  }

  private static @Nullable Json resolve(String pointer, Json document) {
    Json current = document;
    for (int offset = 0; offset < pointer.length() && current != null; ) {
      int slash = pointer.indexOf('/', offset + 1);
      int end = slash < 0 ? pointer.length() : slash;
      String name = pointer.substring(offset + 1, end).replace("~1", "/").replace("~0", "~");
      current = child(current, name);
      offset = end;
    }
    return current;
  }

  private static @Nullable Json child(Json parent, String name) {
    if (parent instanceof Json.Obj object) {
      return object.get(name);
    }
    if (parent instanceof Json.Arr items && name.matches("0|[1-9]\\d{0,6}")) {
      int index = Integer.parseInt(name);
      return index < items.size() ? items.get(index) : null;
    }
    return null;
  }

  @Override
  public Usd fee(Query query, int pages) {
    return price;
  }

  /** Returns a text without address, headers and body, which may hold secrets. */
  @Override
  public String toString() {
    return "search service of the operator";
  }
}

package io.strowger.plugins.webclient;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The domains of a request")
class DomainRulesTest {
  @Proves("plugins.web.domains")
  @ParameterizedTest
  @CsvSource({
    "x.com, https://x.com/, true",
    "x.com, https://X.COM./a, true",
    "x.com, https://www.x.com/, true",
    "x.com, https://notx.com/, false",
    "x.com, https://x.com.evil.test/, false",
    "x.com, https://evil.test/x.com, false",
    "x.com, https://x.com@evil.test/, false",
    "*.x.com, https://a.x.com/, true",
    "*.x.com, https://a.b.x.com/, true",
    "*.x.com, https://x.com/, false",
    "x.com/blog, https://x.com/blog, true",
    "x.com/blog, https://x.com/blog/a, true",
    "x.com/blog/*, https://x.com/blog/a, true",
    "x.com/blog, https://x.com/blogs, false",
    "x.com/blog, https://x.com/blog/../secret, false",
    "x.com/blog, https://x.com/blog/%2e%2e/secret, false",
    "x.com/blog, https://x.com/, false",
    "https://x.com/, http://x.com/a, true",
    "b\u00fccher.test, https://xn--bcher-kva.test/, true",
    "x.com, nonsense, false",
    "x.com, 'http://a b/', false"
  })
  @DisplayName("match a host, its subdomains, and a path with everything below it")
  void matching(String entry, String url, boolean allowed) {
    assertThat(DomainRules.of(List.of(entry), List.of()).allows(url)).isEqualTo(allowed);
  }

  @Proves("plugins.web.domains")
  @Test
  @DisplayName("exclude a page that both lists match, and allow every page if there are no lists")
  void lists() {
    DomainRules both = DomainRules.of(List.of("x.com"), List.of("a.x.com", "x.com/no"));
    assertThat(both.allows("https://x.com/yes")).isTrue();
    assertThat(both.allows("https://x.com/no")).isFalse();
    assertThat(both.allows("https://a.x.com/")).isFalse();
    assertThat(DomainRules.NONE.allows("whatever")).isTrue();
    assertThat(DomainRules.of(List.of(""), List.of()).allows("https://x.com/")).isFalse();
  }
}

/**
 * Fakes and contract tests for authors of providers, plugins and stores; the engine's own extend
 * the same classes, so they cannot rot. Start reading at {@link
 * io.strowger.tck.ChatProviderContract}; {@link io.strowger.tck.Given} has the small words tests
 * are written with.
 *
 * <p>Who tests a plugin depends on the artifact {@code strowger-engine-tck} in scope {@code test},
 * and on nothing else: JUnit 6 and AssertJ come with it. Maven needs {@code maven-surefire-plugin}
 * 3.0 or later, as older ones find no test. The directory {@code examples} has such projects: a
 * router, an interceptor, a tool and an adapter.
 */
@NullMarked
package io.strowger.tck;

import org.jspecify.annotations.NullMarked;

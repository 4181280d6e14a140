/**
 * Tests of the package of the same name, with a minimal dialect. A transport with prepared answers
 * takes the place of the upstream; the tests of the real dialects use it, too.
 */
@NullMarked
package io.strowger.providers.upstream;

import org.jspecify.annotations.NullMarked;

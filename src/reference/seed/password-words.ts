/** Words that passwords are made of: short, plain, and hard to mistake for one another. */
export const passwordWords: readonly string[] = (
  'amber anchor apple aspen autumn badger bamboo basil beacon birch bramble breeze candle canyon cedar cherry cinder ' +
  'clover cobalt comet copper coral cotton cricket dahlia daisy delta ember falcon feather fennel fern fiddle flint ' +
  'forest garnet ginger glacier granite harbor hazel heron hickory honey indigo island ivory jasmine juniper kestrel ' +
  'lagoon lantern lemon lilac linen lotus magnet maple marble meadow mint mosaic nectar nutmeg oak olive onyx orchid ' +
  'otter paper pebble pepper pine plum poppy prairie quartz rabbit raven river robin saffron sage sparrow spruce sugar ' +
  'summit thistle timber tulip velvet violet walnut willow winter'
).split(' ');

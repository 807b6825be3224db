//! Names of people, programs and places in the made-up company. Each is used once in a world.

use crate::random::Random;
use std::collections::BTreeMap;

const PEOPLE: &str = "Sarah Nadia Omar Priya Marcus Elena Jonas Katrin Tomas Ines Hana Victor Mei Aisha Ben Lin \
    Rafael Sofia Dmitri Yuki Amara Felix Greta Hugo Ivana Jakub Leila Mateo Nora Oskar Paula Quentin Rosa Stefan Tara \
    Ulrich Vera Wanda Xavier Zoe Anton Bianca Cyrus Daria Emil Fatima Gavin Helga";
const SERVICES: &str = "Falcon Nimbus Quarry Beacon Harbor Lantern Meteor Pelican Compass Drift Ember Fjord Gizmo Hazel \
    Iris Juniper Kestrel Lotus Magnet Nectar Onyx Piston Quill Raven Saffron Tundra Umbra Velvet Willow Zephyr Anchor \
    Bramble Cobalt Dynamo";
const STORES: &str = "orders-db ledger-db catalog-db events-db users-db media-store stock-db claims-db parts-db audit-db \
    trips-db leads-db cards-db forms-db rooms-db votes-db";
const VENDORS: &str = "Halden Norvik Brightwell Castellan Dunmore Everfield Fairlight Grantham Hollis Inverness Jarrow \
    Kingsley Lockwood Merriton Northgate Oakhurst Pemberton Quayside Redmoor Silverton Thornbury Upwell Vantage Westbrook";
const PROJECTS: &str = "Aurora Borealis Catalyst Dragonfly Eclipse Firefly Gazelle Horizon Icarus Jupiter Kodiak Labyrinth \
    Monsoon Nautilus Odyssey Phoenix Quasar Rainier Sequoia Titanium Ulysses Voyager Wombat Yellowstone";
const CITIES: &str = "Lisbon Oslo Hamburg Kyoto Toronto Seville Krakow Dublin Geneva Bergen Turin Utrecht Vilnius Zagreb \
    Porto Riga Malmo Ghent";
const GADGETS: &str = "Rufus Bolt Pixel Mango Turbo Biscuit Rocket Waffle Noodle Pepper Ziggy Cosmo Domino Ginger Hobbit \
    Jigsaw Kiwi Marble";
pub(super) const MONTHS: [&str; 6] = ["April", "May", "June", "July", "August", "September"];
pub(super) const WEEKDAYS: [&str; 5] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"];

/// The unused names of each sort, by the letter that requests it.
pub(super) struct Names(BTreeMap<char, Vec<&'static str>>);

impl Names {
    pub(super) fn new(random: &mut Random) -> Self {
        let sorts = [
            ('P', PEOPLE),
            ('S', SERVICES),
            ('D', STORES),
            ('V', VENDORS),
            ('J', PROJECTS),
            ('C', CITIES),
            ('G', GADGETS),
        ];
        let shuffled = |(sort, names): (char, &'static str)| {
            (sort, random.shuffled(&names.split_whitespace().collect::<Vec<_>>()))
        };
        Self(sorts.into_iter().map(shuffled).collect())
    }

    /// An unused name; `None` when all are taken.
    pub(super) fn take(&mut self, sort: char) -> Option<&'static str> {
        self.0.get_mut(&sort)?.pop()
    }
}
